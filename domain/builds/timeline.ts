import {
  type BuildState,
  type BuildTimeline,
  type BuildWait,
  idPrefixes,
  type Scope,
  type Stage,
} from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { database, parseId } from "@/lib/server/db";
import { stagesOf } from "./queries";
import { readQueue } from "./queue";
import { getUsual } from "./usual";

interface Head {
  readonly state: BuildState;
  readonly engine: string;
  readonly boardModel: string;
  readonly expectedMs: number | null;
  readonly isAwaitingEqual: boolean;
  readonly now: Date;
}

interface AttemptRow {
  readonly attempt: number;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly outcome: string | null;
  readonly stages: Stage[] | null;
}

/** Attempts that a page tells of: nobody reads more, and a build is given up long before. */
const mostAttempts = 20;

/**
 * When a build waited and what each of its attempts did when, with what is usual for its kind.
 *
 * @throws {AppError} `BUILD_UNKNOWN`
 */
export async function getBuildTimeline(scope: Scope, id: string): Promise<BuildTimeline> {
  const buildId = parseId(idPrefixes.build, id);
  const [head] = buildId ? await readHead(scope, buildId) : [];
  if (!buildId || !head) throw notFound("build", id);
  const { engine, boardModel, state } = head;
  const [queued, attempts, usual, wait] = await Promise.all([
    listQueued(buildId),
    listAttempts(buildId),
    getUsual({ engine, boardModel, before: buildId }),
    readWait(buildId, head),
  ]);
  return {
    now: head.now.toISOString(),
    queued: queued.map(({ from, to }) => ({
      from: from.toISOString(),
      to: to?.toISOString() ?? null,
    })),
    attempts: attempts.map(({ startedAt, endedAt, stages, outcome, attempt }, index) => ({
      attempt,
      outcome,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
      // Only the last attempt ends as the build does; one that was lost failed.
      stages: stagesOf({
        state: index === attempts.length - 1 ? state : "failed",
        stages,
        endedAt,
      }),
    })),
    usual,
    expectedMs: head.expectedMs,
    wait,
  };
}

const readHead = (scope: Scope, buildId: string) =>
  database().$queryRaw<Head[]>`
    SELECT state, engine, board_model AS "boardModel", expected_ms AS "expectedMs",
      waits_for_id IS NOT NULL AS "isAwaitingEqual", clock_timestamp() AS now
    FROM build WHERE id = ${buildId}::uuid AND project_id = ${scope}::uuid`;

/** Each wait for a worker, until the next change of state. */
const listQueued = (buildId: string) =>
  database().$queryRaw<{ from: Date; to: Date | null }[]>`
    SELECT t."from", t."to" FROM (
      SELECT to_state, created_at AS "from", lead(created_at) OVER (ORDER BY id) AS "to"
      FROM transition WHERE build_id = ${buildId}::uuid) t
    WHERE t.to_state = 'queued' ORDER BY t."from" LIMIT ${mostAttempts + 1}`;

/** While it waits for an equal build, the stages of that one are its own: they are the same work. */
const listAttempts = async (buildId: string) =>
  (
    await database().$queryRaw<AttemptRow[]>`
      SELECT a.epoch AS attempt, a.started_at AS "startedAt", a.ended_at AS "endedAt", a.outcome,
        CASE WHEN a.epoch = b.lease_epoch THEN coalesce(t.stages, a.stages) ELSE a.stages END AS stages
      FROM attempt a JOIN build b ON b.id = a.build_id
      LEFT JOIN build w ON w.id = b.waits_for_id
      LEFT JOIN attempt t ON t.build_id = w.id AND t.epoch = w.lease_epoch
      WHERE a.build_id = ${buildId}::uuid ORDER BY a.epoch DESC LIMIT ${mostAttempts}`
  ).reverse();

/** Why a build waits; null for one that runs or has ended. */
async function readWait(
  buildId: string,
  { state, isAwaitingEqual }: Pick<Head, "state" | "isAwaitingEqual">,
): Promise<BuildWait | null> {
  if (state !== "queued" && !isAwaitingEqual) return null;
  const { waits, workers, waiting } = await readQueue();
  if (state === "queued") return waits.get(buildId) ?? null;
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
  return {
    ...{
      reason: "equal-build",
      place: null,
      projectMost: null,
      personMost: null,
      expectedStartAt: null,
    },
    ...{ waiting: waiting.length, workers: workers.length, slots },
  };
}
