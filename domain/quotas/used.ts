import { buildMinutesDays } from "@/lib/common/contract";
import { type Sql, sql } from "@/lib/server/db";

// What a project takes, each a number of a query; `project` is its id there.

/** Builds that run. */
const runningBuilds = (project: Sql): Sql => sql`(
  SELECT count(*)::int FROM build b
  WHERE b.project_id = ${project} AND b.state <> 'queued' AND b.ended_at IS NULL)`;

/** Builds that wait. */
const queuedBuilds = (project: Sql): Sql => sql`(
  SELECT count(*)::int FROM build b
  WHERE b.project_id = ${project} AND b.state = 'queued' AND b.cancel_requested_at IS NULL)`;

/** Builds that ran within the days that count, with their minutes. */
const countedBuilds = (project: Sql): Sql => sql`
  SELECT b.id, b.started_at, extract(epoch FROM coalesce(b.ended_at, now()) - b.started_at) / 60 AS minutes
  FROM build b WHERE b.project_id = ${project} AND b.started_at > now() - make_interval(days => ${buildMinutesDays})`;

/** Boards that endpoints of the project ask for, by their newest revisions. @param which Of `endpoint e`. */
const heldBoards = (project: Sql, which: Sql = sql`TRUE`): Sql => sql`(
  SELECT coalesce(sum(wanted), 0)::int FROM (
    SELECT DISTINCT ON (r.endpoint_id) coalesce((r.request -> 'serving' ->> 'replicas')::int, 1) AS wanted
    FROM revision r JOIN endpoint e ON e.id = r.endpoint_id
    WHERE e.project_id = ${project} AND e.deleted_at IS NULL AND e.delete_requested_at IS NULL AND ${which}
    ORDER BY r.endpoint_id, r.turn DESC) newest)`;

/** Boards that people of the project have leased now. */
const leasedBoards = (project: Sql): Sql => sql`(
  SELECT count(*)::int FROM lease x
  WHERE x.project_id = ${project} AND x.released_at IS NULL AND x.starts_at <= now() AND x.expires_at > now())`;

/** Bytes of uploads, firmware and logs. */
const storedBytes = (project: Sql): Sql => sql`(
  (SELECT coalesce(sum(a.size_bytes), 0) FROM artifact a WHERE EXISTS (
    SELECT FROM artifact_reference f WHERE f.artifact_digest = a.digest AND f.project_id = ${project}))
  + (SELECT coalesce(sum(m.size_bytes), 0) FROM model m WHERE m.project_id = ${project} AND m.url LIKE 's3://%')
  + (SELECT coalesce(sum(t.log_bytes), 0) FROM attempt t JOIN build b ON b.id = t.build_id WHERE b.project_id = ${project})
)::bigint`;

/** What a project takes, as numbers of a query. */
export const used = {
  runningBuilds,
  queuedBuilds,
  countedBuilds,
  heldBoards,
  leasedBoards,
  storedBytes,
};
