import type { Tx } from "@/lib/server/db";

/**
 * The turn of a revision that is asked to serve now: after all others of its endpoint, which the caller has locked. The one
 * with the last turn is wanted, whatever its ordinal.
 */
export async function nextTurn(tx: Tx, endpointId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ turn: number }[]>`
    SELECT coalesce(max(turn), 0) + 1 AS turn FROM revision WHERE endpoint_id = ${endpointId}::uuid`;
  return row?.turn ?? 1;
}
