import type { StageName, Usual } from "@/lib/common/contract";
import { database, type Sql, sql } from "@/lib/server/db";

/** Builds that are looked at: the latest, since they change with the tools and the machine. */
const latestBuilds = 50;

/** What is asked for: builds by this engine for this board model, before a build. */
interface Kind {
  readonly engine: string;
  readonly boardModel: string;
  /** UUID of the build before which they were asked for. */
  readonly before: string;
}

const spreadOf = (value: Sql): Sql => sql`
  percentile_cont(0.5) WITHIN GROUP (ORDER BY ${value})::float8 AS "medianMs",
  percentile_cont(0.25) WITHIN GROUP (ORDER BY ${value})::float8 AS "lowMs",
  percentile_cont(0.75) WITHIN GROUP (ORDER BY ${value})::float8 AS "highMs"`;

const took = sql`extract(epoch FROM b.ended_at - b.started_at) * 1000`;

/** The latest builds of a kind that made their artifact themselves. */
const earlier = ({ engine, boardModel, before }: Kind): Sql => sql`
  SELECT b.id, b.lease_epoch, (${took})::float8 AS took FROM build b
  WHERE b.engine = ${engine} AND b.board_model = ${boardModel} AND b.state = 'succeeded'
    AND b.reused_from_id IS NULL AND b.started_at IS NOT NULL AND b.id < ${before}::uuid
  ORDER BY b.id DESC LIMIT ${latestBuilds}`;

interface StageRow {
  name: StageName;
  builds: number;
  startMs: number | null;
  medianMs: number;
  lowMs: number;
  highMs: number;
}

/** How long the latest builds of a kind took, as a whole and stage by stage. */
export async function getUsual(kind: Kind): Promise<Usual> {
  const duration = sql`(s.value ->> 'durationMs')::float8`;
  const [[total], stages] = await Promise.all([
    database().$queryRaw<
      { builds: number; medianMs: number | null; lowMs: number | null; highMs: number | null }[]
    >`
      WITH earlier AS (${earlier(kind)})
      SELECT count(*)::int AS builds, ${spreadOf(sql`took`)} FROM earlier`,
    database().$queryRaw<StageRow[]>`
      WITH earlier AS (${earlier(kind)})
      SELECT s.value ->> 'name' AS name, count(*)::int AS builds, ${spreadOf(duration)},
        percentile_cont(0.5) WITHIN GROUP (
          ORDER BY extract(epoch FROM (s.value ->> 'startedAt')::timestamptz - a.started_at) * 1000)::float8 AS "startMs"
      FROM earlier e JOIN attempt a ON a.build_id = e.id AND a.epoch = e.lease_epoch
      CROSS JOIN LATERAL jsonb_array_elements(a.stages) s(value)
      WHERE s.value ->> 'state' = 'succeeded' AND jsonb_typeof(s.value -> 'durationMs') = 'number'
      GROUP BY 1`,
  ]);
  const { builds = 0, medianMs = null, lowMs = null, highMs = null } = total ?? {};
  return {
    builds,
    total:
      medianMs === null || lowMs === null || highMs === null ? null : { medianMs, lowMs, highMs },
    stages: stages.map((row) => ({ ...row, startMs: Math.max(0, row.startMs ?? 0) })),
  };
}

/** Median durations of kinds of builds that wait or run, by their UUIDs; absent where there is no earlier build. */
export async function listUsualTotals(
  buildIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (buildIds.length === 0) return new Map();
  const rows = await database().$queryRaw<{ id: string; medianMs: number }[]>`
    WITH kinds AS (
      SELECT engine, board_model, max(id::text) AS before FROM build WHERE id = ANY(${[...buildIds]}::uuid[]) GROUP BY 1, 2),
    usual AS (
      SELECT k.engine, k.board_model, (
        SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY e.took)::float8 FROM (
          SELECT (${took})::float8 AS took FROM build b
          WHERE b.engine = k.engine AND b.board_model = k.board_model AND b.state = 'succeeded'
            AND b.reused_from_id IS NULL AND b.started_at IS NOT NULL AND b.id < k.before::uuid
          ORDER BY b.id DESC LIMIT ${latestBuilds}) e) AS median
      FROM kinds k)
    SELECT b.id, u.median AS "medianMs" FROM build b
    JOIN usual u ON u.engine = b.engine AND u.board_model = b.board_model
    WHERE b.id = ANY(${[...buildIds]}::uuid[]) AND u.median IS NOT NULL`;
  return new Map(rows.map(({ id, medianMs }) => [id, medianMs]));
}
