import { withTransaction } from "@/lib/server/db";

/**
 * Keeps callers from an endpoint, or lets them to it again. The board stays loaded either way.
 *
 * @returns False when there is no such endpoint.
 */
export async function setEndpointPaused(name: string, paused: boolean): Promise<boolean> {
  return await withTransaction(async (tx) => {
    const changed = await tx.$executeRaw`
      UPDATE endpoint SET paused = ${paused}, state = CASE
        WHEN ${paused} AND state = 'ready' THEN 'paused'
        WHEN NOT ${paused} AND state = 'paused' THEN 'loading'
        ELSE state END
      WHERE name = ${name} AND deleted_at IS NULL AND delete_requested_at IS NULL`;
    return changed === 1;
  });
}
