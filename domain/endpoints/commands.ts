import { recordEvent } from "@/domain/events";
import { writePaused } from "@/domain/routes";
import type { EndpointAccess, Scope } from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { withTransaction } from "@/lib/server/db";
import { endpointDeleting, lockEndpoint } from "./locked-endpoint";

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
    if (!endpoint) throw notFound("endpoint", name);
    await tx.$executeRaw`DELETE FROM route WHERE endpoint_id = ${endpoint.id}::uuid`;
    await recordEvent(tx, { projectId: scope, noun: "endpoint", id: name });
  });
}

/**
 * Keeps callers from an endpoint until it is resumed: the same as what clients of V2 call unload. Its boards stay loaded.
 * Asking again is no error.
 *
 * @throws {AppError} `ENDPOINT_UNKNOWN`; `STATE_CONFLICT` while it is being deleted.
 */
export async function pauseEndpoint(scope: Scope, name: string): Promise<void> {
  await setPaused(scope, name, true);
}

/** Takes a pause back, whoever made it. @throws {AppError} As `pauseEndpoint`. */
export async function resumeEndpoint(scope: Scope, name: string): Promise<void> {
  await setPaused(scope, name, false);
}

/**
 * Says who may ask an endpoint, from the next request on. Asking again is no error. Whoever makes it private is its owner from then on.
 * Bodies of requests that were kept while it was private to somebody are for nobody else: they go, and are kept no more.
 *
 * @param personId UUID of who says so; null without accounts.
 * @throws {AppError} As `pauseEndpoint`.
 */
export async function setEndpointAccess(
  scope: Scope,
  name: string,
  access: EndpointAccess,
  personId: string | null,
): Promise<void> {
  await withTransaction(async (tx) => {
    const { id } = await lockEndpoint(tx, scope, name);
    const changed = await tx.$executeRaw`
      UPDATE endpoint SET access = ${access}, keep_payloads = keep_payloads AND access <> 'private',
        owner_id = CASE WHEN ${access} = 'private' THEN ${personId}::uuid ELSE owner_id END
      WHERE id = ${id}::uuid AND (access <> ${access} OR ${access} = 'private' AND owner_id IS DISTINCT FROM ${personId}::uuid)`;
    if (changed > 0) await recordEvent(tx, { projectId: scope, noun: "endpoint", id: name });
  });
}

async function setPaused(scope: Scope, name: string, paused: boolean): Promise<void> {
  const outcome = await withTransaction((tx) => writePaused(tx, { scope, name }, paused));
  if (outcome === "unknown") throw notFound("endpoint", name);
  if (outcome === "deleting") throw endpointDeleting();
}
