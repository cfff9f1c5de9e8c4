import { type AliveWorker, lastWorkerSeenAt, listAliveWorkers } from "@/domain/build-workers";
import { isQueueAway } from "@/domain/outbox";
import { mostRunning, mostRunningEach } from "@/domain/quotas";
import { withModelNames } from "@/domain/uploads";
import { type BuildQueue, type BuildWait, idPrefixes, type Scope } from "@/lib/common/contract";
import { database, toId } from "@/lib/server/db";
import { type Expected, expectedStarts } from "./expected-starts";
import { priorityOf } from "./priority";
import { inTurn, waitsInTurn } from "./turn";
import { listUsualTotals } from "./usual";
import { waitReasons } from "./wait-reasons";

/** Builds that a place in the queue is told of; more are only counted. */
const mostPlaced = 500;
/** Builds that the panel of the queue names. */
const mostNamed = 10;

interface UnderWay extends Expected {
  readonly projectId: string;
  readonly projectMost: number | null;
  readonly personId: string | null;
  readonly personMost: number | null;
  readonly isWaiting: boolean;
  readonly endpointName: string | null;
  readonly modelUrl: string;
  readonly boardModel: string;
  readonly rank: number;
  readonly createdAt: Date;
}

/** What the whole installation builds and waits for, by the database's clock. */
export interface QueueNow {
  readonly nowMs: number;
  readonly workers: readonly AliveWorker[];
  readonly running: readonly UnderWay[];
  /** In the order in which workers take them. */
  readonly waiting: readonly UnderWay[];
  readonly waits: ReadonlyMap<string, BuildWait>;
}

/** Workers that are alive, what they run, and why each other build waits, and until when. */
export async function readQueue(): Promise<QueueNow> {
  const [workers, rows, isAway] = await Promise.all([
    listAliveWorkers(),
    listUnderWay(),
    isQueueAway(),
  ]);
  const usual = await listUsualTotals(rows.map(({ id }) => id));
  const nowMs = rows[0]?.now.getTime() ?? 0;
  const known = rows.map((row) => ({
    ...row,
    expectedMs: usual.get(row.id) ?? row.expectedMs,
    startedMs: row.startedAt?.getTime() ?? null,
  }));
  const waiting = known.filter(({ isWaiting }) => isWaiting);
  const running = known.filter(({ isWaiting }) => !isWaiting);
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
  const reasons = waitReasons({ workers: workers.length, slots, isAway, running, waiting });
  // Workers pass over the others.
  const inLine = waiting.filter(({ id }) => !isPassedOver(reasons.get(id)));
  const places = new Map(inLine.map(({ id }, index) => [id, index + 1]));
  const starts = isAway
    ? new Map<string, number>()
    : expectedStarts({ nowMs, slots, running, waiting: inLine });
  const waits = new Map(
    waiting.map(({ id, projectMost, personMost }): [string, BuildWait] => {
      const startMs = starts.get(id);
      return [
        id,
        {
          reason: reasons.get(id) ?? "workers-busy",
          place: places.get(id) ?? null,
          waiting: inLine.length,
          workers: workers.length,
          slots,
          projectMost,
          personMost,
          expectedStartAt: startMs === undefined ? null : new Date(startMs).toISOString(),
        },
      ];
    }),
  );
  return { nowMs, workers, running, waiting, waits };
}

const isPassedOver = (reason: BuildWait["reason"] | undefined): boolean =>
  reason === "quota" || reason === "own-quota";

/** What runs, and behind it what waits, in turn. */
const listUnderWay = () =>
  database().$queryRaw<(Omit<UnderWay, "startedMs"> & { now: Date; startedAt: Date | null })[]>`
    SELECT b.id, b.project_id AS "projectId", ${mostRunning} AS "projectMost",
      b.asked_by_id AS "personId", ${mostRunningEach} AS "personMost", b.state = 'queued' AS "isWaiting", b.endpoint_name AS "endpointName",
      b.model_url AS "modelUrl", b.board_model AS "boardModel", b.priority AS rank, b.created_at AS "createdAt",
      b.expected_ms::float8 AS "expectedMs", a.started_at AS "startedAt", clock_timestamp() AS now
    FROM build b LEFT JOIN attempt a ON a.build_id = b.id AND a.epoch = b.lease_epoch AND a.ended_at IS NULL
    LEFT JOIN project_quota q ON q.project_id = b.project_id
    WHERE b.state IN ('queued', 'preparing', 'running') AND NOT (b.state = 'queued' AND b.cancel_requested_at IS NOT NULL)
    ORDER BY b.state = 'queued', ${inTurn}
    LIMIT ${mostPlaced}`;

/** The build workers, and which builds of a project wait for them. */
export async function getBuildQueue(scope: Scope): Promise<BuildQueue> {
  const [queue, lastSeenAt, [count]] = await Promise.all([
    readQueue(),
    lastWorkerSeenAt(),
    database().$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM build b WHERE ${waitsInTurn}`,
  ]);
  const { workers, running, waiting, waits } = queue;
  const named = await withModelNames(
    scope,
    waiting.filter(({ projectId }) => projectId === scope).slice(0, mostNamed),
  );
  return {
    workers: workers.map(({ seenAt, ...worker }) => ({ ...worker, seenAt: seenAt.toISOString() })),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    running: running.length,
    waiting: count?.waiting ?? 0,
    next: named.flatMap(
      ({ id, endpointName, modelUrl, modelName, boardModel, rank, createdAt }) => {
        const wait = waits.get(id);
        if (!wait) return [];
        const model = { modelUrl, ...(modelName === undefined ? {} : { modelName }) };
        const shown = { endpointName, ...model, boardModel, createdAt: createdAt.toISOString() };
        const priority = priorityOf(rank);
        return [{ id: toId(idPrefixes.build, id), ...shown, priority, wait }];
      },
    ),
  };
}
