import { enqueue } from "@/domain/outbox";
import { idPrefixes, type Scope } from "@/lib/common/contract";
import { type ErrorData, fail } from "@/lib/common/errors";
import { database, listen, parseId, toId, uuidv7, withTransaction } from "@/lib/server/db";

export interface InspectionState {
  readonly id: string;
  readonly url: string;
  readonly state: "queued" | "running" | "succeeded" | "failed";
  /** Of a model an inspection; of a look, what that answers. */
  readonly result?: unknown;
  readonly problem?: ErrorData;
}

export interface ClaimedInspection {
  /** The bare UUID. */
  readonly id: string;
  readonly url: string;
  readonly projectId: string;
  readonly epoch: number;
  /** What to look at besides the model, unparsed; null: the model alone. */
  readonly request: unknown;
}

/** Asks a worker to look at a model. The URL was checked with `checkModelUrl`. Answers the shown id. */
export async function requestInspection(
  scope: Scope,
  { url }: { readonly url: string },
): Promise<{ readonly id: string }> {
  const id = uuidv7();
  await withTransaction(async (tx) => {
    await tx.inspection.create({ data: { id, projectId: scope, url, jobs: 1 } });
    await enqueue(tx, {
      queue: "inspect",
      jobId: inspectionJobId(id, 1),
      payload: { inspectionId: id },
    });
  });
  return { id: toId(idPrefixes.inspection, id) };
}

export function inspectionJobId(id: string, n: number): string {
  return `inspect-${id}-${n}`;
}

/** @throws {AppError} `NOT_FOUND` */
export async function getInspection(scope: Scope, id: string): Promise<InspectionState> {
  const uuid = parseId(idPrefixes.inspection, id);
  const row =
    uuid && (await database().inspection.findFirst({ where: { id: uuid, projectId: scope } }));
  if (!row) throw fail("NOT_FOUND", "There is no such inspection.");
  return {
    id,
    url: row.url,
    state: row.state as InspectionState["state"],
    ...(row.result ? { result: row.result as unknown } : {}),
    ...(row.problem ? { problem: row.problem as unknown as ErrorData } : {}),
  };
}

/** Waits until an inspection has ended, for at most `timeoutMs`; then answers it as it is. */
export async function waitForInspection(
  scope: Scope,
  id: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<InspectionState> {
  const uuid = parseId(idPrefixes.inspection, id);
  let settled = () => {};
  let broken = (_error: unknown) => {};
  const ended = new Promise<void>((resolve, reject) => {
    settled = resolve;
    broken = reject;
  });
  const look = async () => {
    const { state } = await getInspection(scope, id);
    if (state === "succeeded" || state === "failed") settled();
  };
  const lookNow = () => void look().catch(broken);
  const ear = listen("inspection", {
    onNotify: (payload) => {
      if (payload === uuid) lookNow();
    },
    onReconnect: lookNow,
  });
  const timer = setTimeout(settled, timeoutMs);
  signal?.addEventListener("abort", settled, { once: true });
  try {
    await ended;
    return await getInspection(scope, id);
  } finally {
    clearTimeout(timer);
    void ear.close();
  }
}

/** Takes a waiting inspection for a worker. Null if it does not wait. */
export async function claimInspection(
  id: string,
  workerId: string,
  leaseS: number,
): Promise<ClaimedInspection | null> {
  const [row] = await database().$queryRaw<ClaimedInspection[]>`
    UPDATE inspection SET state = 'running', lease_epoch = lease_epoch + 1, lease_owner = ${workerId},
      lease_until = now() + make_interval(secs => ${leaseS}::float8)
    WHERE id = ${id}::uuid AND state = 'queued'
    RETURNING id, url, project_id AS "projectId", lease_epoch AS epoch, request`;
  return row ?? null;
}

/** @returns False when another claim has it. */
export async function renewInspection(id: string, epoch: number, leaseS: number): Promise<boolean> {
  const held = await database().$executeRaw`
    UPDATE inspection SET lease_until = now() + make_interval(secs => ${leaseS}::float8)
    WHERE id = ${id}::uuid AND lease_epoch = ${epoch} AND state = 'running'`;
  return held === 1;
}

/** Writes what the worker found, or why it could not. @throws {AppError} `LEASE_LOST` */
export async function finishInspection(
  id: string,
  epoch: number,
  end: { readonly result: unknown } | { readonly problem: ErrorData },
): Promise<void> {
  const result = "result" in end ? JSON.stringify(end.result) : null;
  const problem = "problem" in end ? JSON.stringify(end.problem) : null;
  const written = await database().$executeRaw`
    UPDATE inspection SET state = ${result ? "succeeded" : "failed"}, result = ${result}::jsonb,
      problem = ${problem}::jsonb, ended_at = now(), lease_until = NULL
    WHERE id = ${id}::uuid AND lease_epoch = ${epoch} AND state = 'running'`;
  if (written === 0) throw fail("LEASE_LOST", "Another worker has this inspection.");
}
