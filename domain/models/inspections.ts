import { z } from "zod";
import { claim, heldBy, isSilent, leaseLost, renewal } from "@/domain/leases";
import { enqueue } from "@/domain/outbox";
import {
  type Inspection,
  type InspectionRequest,
  idPrefixes,
  inspectionRequestSchema,
  inspectionSchema,
  type Scope,
} from "@/lib/common/contract";
import { type ErrorData, notFound } from "@/lib/common/errors";
import { Bell, database, parseId, toId, toJson, uuidv7, withTransaction } from "@/lib/server/db";

/** An inspection that stopped its worker so often is not tried again. */
const maxClaims = 3;

const stateSchema = z.enum(["queued", "running", "succeeded", "failed"]);

/** How far an inspection is, and what came of it. */
export interface InspectionState {
  readonly id: string;
  readonly url: string;
  readonly state: z.infer<typeof stateSchema>;
  /** Of a model what was found; of rows or a search, what those answer. */
  readonly result?: unknown;
  readonly problem?: ErrorData;
}

/** An inspection that a worker now holds under `epoch`. */
export interface ClaimedInspection {
  /** The bare UUID. */
  readonly id: string;
  readonly url: string;
  readonly projectId: string;
  readonly epoch: number;
  /** What to inspect besides the model, unparsed; null: the model alone. */
  readonly request: unknown;
}

/** What a worker is to inspect beside or instead of a model; null: the model alone. */
export const parseInspectionRequest = (request: unknown): InspectionRequest | null =>
  request === null ? null : inspectionRequestSchema.parse(request);

/**
 * Asks a worker to inspect a model or rows, or to search for the fewest bits. URLs were checked. Answers the shown id.
 *
 * @param request Left out: the model alone.
 */
export async function requestInspection(
  scope: Scope,
  { url, request }: { readonly url: string; readonly request?: InspectionRequest },
): Promise<{ readonly id: string }> {
  const id = uuidv7();
  await withTransaction(async (tx) => {
    const data = { id, projectId: scope, url, jobs: 1 };
    await tx.inspection.create({ data: request ? { ...data, request: toJson(request) } : data });
    await enqueue(tx, {
      queue: "inspect",
      jobId: inspectionJobId(id, 1),
      payload: { inspectionId: id },
    });
  });
  return { id: toId(idPrefixes.inspection, id) };
}

/** Names the queue's `n`th job for an inspection: asked for twice, it is the same job. */
export function inspectionJobId(id: string, n: number): string {
  return `inspect-${id}-${n}`;
}

/** @throws {AppError} `NOT_FOUND` */
export async function getInspection(scope: Scope, id: string): Promise<InspectionState> {
  const uuid = parseId(idPrefixes.inspection, id);
  const row =
    uuid && (await database().inspection.findFirst({ where: { id: uuid, projectId: scope } }));
  if (!row) throw notFound("inspection", id);
  return {
    id,
    url: row.url,
    state: stateSchema.parse(row.state),
    ...(row.result ? { result: row.result } : {}),
    ...(row.problem ? { problem: row.problem as unknown as ErrorData } : {}),
  };
}

/** What was found at an address within the last minutes, by whoever asked; null when nobody did. */
export async function findInspected(scope: Scope, url: string): Promise<Inspection | null> {
  const [row] = await database().$queryRaw<{ result: unknown }[]>`
    SELECT result FROM inspection
    WHERE project_id = ${scope}::uuid AND md5(url) = md5(${url}) AND url = ${url}
      AND state = 'succeeded' AND request IS NULL AND ended_at > now() - interval '10 minutes'
    ORDER BY id DESC LIMIT 1`;
  return inspectionSchema.safeParse(row?.result).data ?? null;
}

/** Forgets an inspection, with all that it was asked by. */
export async function dropInspection(scope: Scope, id: string): Promise<void> {
  const uuid = parseId(idPrefixes.inspection, id);
  if (uuid) await database().inspection.deleteMany({ where: { id: uuid, projectId: scope } });
}

/** Waits until an inspection has ended, for at most `timeoutMs`; then answers it as it is. */
export async function waitForInspection(
  scope: Scope,
  id: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<InspectionState> {
  const uuid = parseId(idPrefixes.inspection, id);
  const end = performance.now() + timeoutMs;
  const bell = new Bell(["inspection"], { hears: (payload) => payload === uuid });
  try {
    for (;;) {
      const inspection = await getInspection(scope, id);
      const leftMs = end - performance.now();
      if (hasEnded(inspection) || leftMs <= 0 || signal?.aborted) return inspection;
      await bell.wait(leftMs, signal);
    }
  } finally {
    void bell.close();
  }
}

const hasEnded = ({ state }: InspectionState): boolean =>
  state === "succeeded" || state === "failed";

/** Takes a waiting inspection for a worker. Null if it does not wait. */
export async function claimInspection(
  id: string,
  workerId: string,
  leaseS: number,
): Promise<ClaimedInspection | null> {
  const [row] = await database().$queryRaw<ClaimedInspection[]>`
    UPDATE inspection SET state = 'running', ${claim(workerId, leaseS)}
    WHERE id = ${id}::uuid AND state = 'queued'
    RETURNING id, url, project_id AS "projectId", lease_epoch AS epoch, request`;
  return row ?? null;
}

/** @returns False when another claim has it. */
export async function renewInspection(id: string, epoch: number, leaseS: number): Promise<boolean> {
  const held = await database().$executeRaw`
    UPDATE inspection SET ${renewal(leaseS)} WHERE id = ${id}::uuid AND ${heldBy("inspection", epoch)}`;
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
    WHERE id = ${id}::uuid AND ${heldBy("inspection", epoch)}`;
  if (written === 0) throw leaseLost("inspection");
}

/** Inspections whose worker fell silent: to another one, or failed after three. Answers how many. */
export async function expireInspections(): Promise<number> {
  const problem = JSON.stringify({
    code: "deadline_exceeded",
    reason: "INSPECTION_TIMED_OUT",
    message: "Inspecting this model stopped the worker each time.",
  });
  const failed = await database().$executeRaw`
    UPDATE inspection SET state = 'failed', problem = ${problem}::jsonb, ended_at = now(), lease_until = NULL
    WHERE ${isSilent("inspection")} AND lease_epoch >= ${maxClaims}`;
  const again = await withTransaction(async (tx) => {
    const rows = await tx.$queryRaw<{ id: string; jobs: number }[]>`
      UPDATE inspection SET state = 'queued', lease_until = NULL, jobs = jobs + 1 WHERE id IN (
        SELECT id FROM inspection WHERE ${isSilent("inspection")}
        ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED)
      RETURNING id, jobs`;
    for (const { id, jobs } of rows)
      await enqueue(tx, {
        queue: "inspect",
        jobId: inspectionJobId(id, jobs),
        payload: { inspectionId: id },
      });
    return rows.length;
  });
  return failed + again;
}
