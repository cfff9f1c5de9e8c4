import { heldBy } from "@/domain/leases";
import { idPrefixes, type Scope, type Search, searchSchema } from "@/lib/common/contract";
import { type ErrorData, fail, notFound } from "@/lib/common/errors";
import { database, parseId } from "@/lib/server/db";
import { parseInspectionRequest } from "./inspections";

/** How far a search is. @throws {AppError} `NOT_FOUND` */
export async function getSearch(scope: Scope, id: string): Promise<Search> {
  const uuid = parseId(idPrefixes.inspection, id);
  const row =
    uuid && (await database().inspection.findFirst({ where: { id: uuid, projectId: scope } }));
  if (!row || parseInspectionRequest(row.request)?.kind !== "search") throw notFound("search", id);
  return searchSchema.parse({
    id,
    state: row.state,
    ...(row.result ? { result: row.result } : {}),
    ...(row.problem ? { problem: row.problem } : {}),
  });
}

/** Ends a search that is under way; one that has ended stays as it is. @throws {AppError} `NOT_FOUND` */
export async function stopSearch(scope: Scope, id: string): Promise<void> {
  await getSearch(scope, id);
  const problem: ErrorData = {
    code: "cancelled",
    reason: "CANCELLED",
    message: "The search was stopped. What it had found is still there.",
  };
  // A new epoch: whoever works on it loses its claim with its next word.
  await database().$executeRaw`
    UPDATE inspection SET state = 'failed', problem = ${JSON.stringify(problem)}::jsonb,
      lease_epoch = lease_epoch + 1, ended_at = now(), lease_until = NULL
    WHERE id = ${parseId(idPrefixes.inspection, id)}::uuid AND state IN ('queued', 'running')`;
}

/** Shows what was found so far. @throws {AppError} `LEASE_LOST` when the inspection was stopped, or another worker has it. */
export async function showProgress(id: string, epoch: number, result: unknown): Promise<void> {
  const written = await database().$executeRaw`
    UPDATE inspection SET result = ${JSON.stringify(result)}::jsonb
    WHERE id = ${id}::uuid AND ${heldBy("inspection", epoch)}`;
  if (written === 0) throw fail("LEASE_LOST", "The inspection was stopped.");
}
