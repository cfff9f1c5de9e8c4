import { recordEvent } from "@/domain/events";
import type { Scope } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { withTransaction } from "@/lib/server/db";

/**
 * Asks for an endpoint's end. It answers no more from now; its name is free once the reconciler has released its slots.
 * Asking again is no error.
 *
 * @throws {AppError} `ENDPOINT_UNKNOWN`
 */
export async function deleteEndpoint(scope: Scope, name: string): Promise<void> {
  await withTransaction(async (tx) => {
    const [endpoint] = await tx.$queryRaw<{ id: string }[]>`
      UPDATE endpoint SET delete_requested_at = coalesce(delete_requested_at, now()), state = 'deleting', reason = NULL
      WHERE name = ${name} AND project_id = ${scope}::uuid AND deleted_at IS NULL RETURNING id`;
    if (!endpoint) throw fail("ENDPOINT_UNKNOWN", "There is no such endpoint.");
    await tx.$executeRaw`DELETE FROM route WHERE endpoint_id = ${endpoint.id}::uuid`;
    await recordEvent(tx, { projectId: scope, noun: "endpoint", id: name });
  });
}
