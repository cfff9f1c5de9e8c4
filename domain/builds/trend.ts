import { withModelNames } from "@/domain/uploads";
import {
  type BuildState,
  type BuildTrend,
  idPrefixes,
  type Scope,
  type TrendStep,
  type TrendWindow,
} from "@/lib/common/contract";
import { database, toId } from "@/lib/server/db";

const windows = {
  "24h": { steps: 24, stepS: 3600 },
  "7d": { steps: 7, stepS: 24 * 3600 },
} as const satisfies Record<TrendWindow, { steps: number; stepS: number }>;

/** Builds among which models are looked for, models that are shown, and builds of each. */
const [latestBuilds, mostModels, buildsOfEach] = [500, 8, 10];

type StepRow = Omit<TrendStep, "from"> & { readonly ago: number };

/** How a project's builds went by hour or day, by when they were asked for, and the last ten of each model of late. */
export async function getBuildTrend(scope: Scope, window: TrendWindow): Promise<BuildTrend> {
  const { steps, stepS } = windows[window];
  const [rows, models] = await Promise.all([readSteps(scope, steps, stepS), readModels(scope)]);
  const byAgo = new Map(rows.map(({ ago, from: _, ...row }) => [ago, row]));
  const nowMs = rows[0]?.from.getTime() ?? 0;
  const none = { succeeded: 0, reused: 0, failed: 0, cancelled: 0, underWay: 0 };
  return {
    window,
    steps: Array.from({ length: steps }, (_, index) => {
      const ago = steps - 1 - index;
      return {
        from: new Date(nowMs - (ago + 1) * stepS * 1000).toISOString(),
        ...(byAgo.get(ago) ?? { ...none, waitMs: null, runMs: null }),
      };
    }),
    models,
  };
}

/** One row for each step with builds; at least one, so that the present is known. */
const readSteps = (scope: Scope, steps: number, stepS: number) =>
  database().$queryRaw<(StepRow & { readonly from: Date })[]>`
    WITH counted AS (
      SELECT greatest(0, floor(extract(epoch FROM now() - b.created_at) / ${stepS}::float8))::int AS ago,
        count(*) FILTER (WHERE state = 'succeeded' AND reused_from_id IS NULL)::int AS succeeded,
        count(*) FILTER (WHERE state = 'succeeded' AND reused_from_id IS NOT NULL)::int AS reused,
        count(*) FILTER (WHERE state IN ('failed', 'timed_out'))::int AS failed,
        count(*) FILTER (WHERE state = 'cancelled')::int AS cancelled,
        count(*) FILTER (WHERE state IN ('queued', 'preparing', 'running'))::int AS "underWay",
        (percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM b.started_at - b.created_at) * 1000))::float8 AS "waitMs",
        (percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM b.ended_at - b.started_at) * 1000))::float8 AS "runMs"
      FROM build b
      WHERE b.project_id = ${scope}::uuid AND b.created_at > now() - make_interval(secs => ${steps * stepS}::float8)
      GROUP BY 1)
    SELECT now() AS "from", c.ago, c.succeeded, c.reused, c.failed, c.cancelled, c."underWay", c."waitMs", c."runMs"
    FROM (SELECT 1) one LEFT JOIN counted c ON TRUE`;

/** The models that were built last, each with its last builds. */
async function readModels(scope: Scope): Promise<BuildTrend["models"]> {
  const rows = await database().$queryRaw<
    { modelUrl: string; id: string; state: BuildState; reused: boolean; createdAt: Date }[]
  >`
    WITH recent AS (
      SELECT model_url, max(id::text) AS newest FROM (
        SELECT id, model_url FROM build WHERE project_id = ${scope}::uuid ORDER BY id DESC LIMIT ${latestBuilds}) b
      GROUP BY 1 ORDER BY 2 DESC LIMIT ${mostModels})
    SELECT r.model_url AS "modelUrl", b.id, b.state, b.reused, b.created_at AS "createdAt"
    FROM recent r CROSS JOIN LATERAL (
      SELECT id, state, reused_from_id IS NOT NULL AS reused, created_at FROM build
      WHERE project_id = ${scope}::uuid AND md5(model_url) = md5(r.model_url) AND model_url = r.model_url
      ORDER BY id DESC LIMIT ${buildsOfEach}) b
    ORDER BY r.newest DESC, b.id`;
  const models = new Map<string, BuildTrend["models"][number]["builds"]>();
  for (const { modelUrl, id, state, reused, createdAt } of rows) {
    const build = {
      id: toId(idPrefixes.build, id),
      state,
      reused,
      createdAt: createdAt.toISOString(),
    };
    models.set(modelUrl, [...(models.get(modelUrl) ?? []), build]);
  }
  return await withModelNames(
    scope,
    [...models].map(([modelUrl, builds]) => ({ modelUrl, builds })),
  );
}
