import type { Scope } from "@/lib/common/contract";
import { type AppError, fail, notFound } from "@/lib/common/errors";
import type { Tx } from "@/lib/server/db";

/** An endpoint that nobody else changes until the transaction ends. */
export interface LockedEndpoint {
  readonly id: string;
  /** UUID of the revision that the route sends to; null while nothing answers. */
  readonly routedId: string | null;
}

export const endpointDeleting = (): AppError =>
  fail("STATE_CONFLICT", "This endpoint is being deleted.", {
    hint: "Its name is free in a moment: deploy it anew.",
  });

/** @throws {AppError} `ENDPOINT_UNKNOWN`; `STATE_CONFLICT` while it is being deleted. */
export async function lockEndpoint(tx: Tx, scope: Scope, name: string): Promise<LockedEndpoint> {
  const [endpoint] = await tx.$queryRaw<(LockedEndpoint & { deleting: boolean })[]>`
    SELECT e.id, e.delete_requested_at IS NOT NULL AS deleting,
      (SELECT t.split -> 0 ->> 'revisionId' FROM route t WHERE t.endpoint_id = e.id) AS "routedId"
    FROM endpoint e
    WHERE e.name = ${name} AND e.project_id = ${scope}::uuid AND e.deleted_at IS NULL FOR UPDATE OF e`;
  if (!endpoint) throw notFound("endpoint", name);
  if (endpoint.deleting) throw endpointDeleting();
  return endpoint;
}
