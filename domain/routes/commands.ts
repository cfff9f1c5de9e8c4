import { recordEvent } from "@/domain/events";
import type { Scope } from "@/lib/common/contract";
import { type Tx, withTransaction } from "@/lib/server/db";

/** Whether a pause could be written: there is no such endpoint, or it is being deleted. */
export type PauseOutcome = "done" | "unknown" | "deleting";

/**
 * Keeps callers from an endpoint, or lets them to it again: what people call pause and resume, and clients of the repository
 * extension unload and load. The board stays loaded either way. Asking again changes nothing.
 *
 * @param scope Null: whichever project it is of, since clients of V2 know none.
 */
export async function writePaused(
  tx: Tx,
  { scope, name }: { readonly scope: Scope | null; readonly name: string },
  paused: boolean,
): Promise<PauseOutcome> {
  const [endpoint] = await tx.$queryRaw<
    { id: string; projectId: Scope; paused: boolean; deleting: boolean }[]
  >`
    SELECT id, project_id AS "projectId", paused, delete_requested_at IS NOT NULL AS deleting FROM endpoint
    WHERE name = ${name} AND deleted_at IS NULL
      AND (${scope}::uuid IS NULL OR project_id = ${scope}::uuid) FOR UPDATE`;
  if (!endpoint) return "unknown";
  if (endpoint.deleting) return "deleting";
  if (endpoint.paused === paused) return "done";
  await tx.$executeRaw`
    UPDATE endpoint SET paused = ${paused}, state = CASE
      WHEN ${paused} AND state = 'ready' THEN 'paused'
      WHEN NOT ${paused} AND state = 'paused' THEN 'loading'
      ELSE state END
    WHERE id = ${endpoint.id}::uuid`;
  await recordEvent(tx, { projectId: endpoint.projectId, noun: "endpoint", id: name });
  return "done";
}

/** Does `writePaused` for the gateway. @returns False when there is no such endpoint, or soon none. */
export async function setEndpointPaused(name: string, paused: boolean): Promise<boolean> {
  const outcome = await withTransaction((tx) => writePaused(tx, { scope: null, name }, paused));
  return outcome === "done";
}
