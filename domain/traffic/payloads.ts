import { recordEvent } from "@/domain/events";
import type { Scope } from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { withTransaction } from "@/lib/server/db";

/**
 * Has the bodies of an endpoint's last requests kept from now on, or kept no more; then those that were kept go at once.
 *
 * @throws {AppError} `ENDPOINT_UNKNOWN`; `STATE_CONFLICT` while it is being deleted.
 */
export async function setPayloadsKept(scope: Scope, name: string, kept: boolean): Promise<void> {
  await withTransaction(async (tx) => {
    const [endpoint] = await tx.$queryRaw<{ deleting: boolean }[]>`
      SELECT delete_requested_at IS NOT NULL AS deleting FROM endpoint
      WHERE name = ${name} AND project_id = ${scope}::uuid AND deleted_at IS NULL FOR UPDATE`;
    if (!endpoint) throw notFound("endpoint", name);
    if (endpoint.deleting) throw fail("STATE_CONFLICT", "The endpoint is being deleted.");
    const changed = await tx.$executeRaw`
      UPDATE endpoint SET keep_payloads = ${kept}
      WHERE name = ${name} AND project_id = ${scope}::uuid AND deleted_at IS NULL AND keep_payloads <> ${kept}`;
    if (changed > 0) await recordEvent(tx, { projectId: scope, noun: "endpoint", id: name });
  });
}
