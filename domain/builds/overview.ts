import { type BuildOverview, buildOverviewHours, type Scope } from "@/lib/common/contract";
import { database, sql } from "@/lib/server/db";
import { selectListed } from "./queries";

const newestShown = 5;
const failuresShown = 20;

interface HourRow {
  hoursAgo: number;
  succeeded: number;
  reused: number;
  failed: number;
  cancelled: number;
  underWay: number;
}

/** How a project's builds of the last 24 hours went, counted over all of them, by the database's clock. */
export async function getBuildOverview(scope: Scope): Promise<BuildOverview> {
  const db = database();
  const recent = sql`b.project_id = ${scope}::uuid AND b.created_at > now() - make_interval(hours => ${buildOverviewHours})`;
  const [rows, [made], [now], newest, failures] = await Promise.all([
    db.$queryRaw<HourRow[]>`
      SELECT greatest(0, floor(extract(epoch FROM now() - b.created_at) / 3600))::int AS "hoursAgo",
        count(*) FILTER (WHERE state = 'succeeded' AND reused_from_id IS NULL)::int AS succeeded,
        count(*) FILTER (WHERE state = 'succeeded' AND reused_from_id IS NOT NULL)::int AS reused,
        count(*) FILTER (WHERE state IN ('failed', 'timed_out'))::int AS failed,
        count(*) FILTER (WHERE state = 'cancelled')::int AS cancelled,
        count(*) FILTER (WHERE state IN ('queued', 'preparing', 'running'))::int AS "underWay"
      FROM build b WHERE ${recent} GROUP BY 1`,
    db.$queryRaw<{ medianMs: number | null }[]>`
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM b.ended_at - b.started_at) * 1000)::float8 AS "medianMs"
      FROM build b WHERE ${recent} AND b.state = 'succeeded' AND b.reused_from_id IS NULL`,
    db.$queryRaw<{ underWay: number }[]>`
      SELECT count(*)::int AS "underWay" FROM build b
      WHERE b.project_id = ${scope}::uuid AND b.state IN ('queued', 'preparing', 'running')`,
    selectListed(scope, sql`AND ${recent} ORDER BY b.id DESC LIMIT ${newestShown}`),
    // What a later build of the endpoint made good, or tries to, and what nobody wants any more, needs nobody.
    selectListed(
      scope,
      sql`AND ${recent} AND b.state IN ('failed', 'timed_out')
        AND (b.endpoint_name IS NULL OR EXISTS (
          SELECT 1 FROM endpoint e
          WHERE e.project_id = b.project_id AND e.name = b.endpoint_name AND e.deleted_at IS NULL))
        AND NOT EXISTS (
          SELECT 1 FROM build o
          WHERE o.project_id = b.project_id AND o.endpoint_name = b.endpoint_name AND o.id > b.id
            AND o.state <> 'cancelled')
        ORDER BY b.id DESC LIMIT ${failuresShown}`,
    ),
  ]);
  const none = { succeeded: 0, reused: 0, failed: 0, cancelled: 0, underWay: 0 };
  const hours = Array.from({ length: buildOverviewHours }, () => none);
  for (const { hoursAgo, ...counts } of rows) hours[buildOverviewHours - 1 - hoursAgo] = counts;
  return {
    underWay: now?.underWay ?? 0,
    hours,
    medianMs: made?.medianMs ?? null,
    newest,
    failures,
  };
}
