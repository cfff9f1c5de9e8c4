import { type CallCommand, idPrefixes } from "@/lib/common/contract";
import { database, toId } from "@/lib/server/db";
import { goesOn } from "./goes-on";

/**
 * What holders of leases ask of a server's slots and it has not begun. What was meant for something that is loaded no more, or by
 * somebody who has the board no more, is not among it.
 */
export async function listCalls(
  serverId: string,
  begun: ReadonlySet<string>,
): Promise<readonly CallCommand[]> {
  const rows = await database().$queryRaw<
    { id: string; slotId: string; slotEpoch: number; kind: "line" | "infer"; request: string }[]
  >`
    SELECT c.id, c.slot_id AS "slotId", c.slot_epoch AS "slotEpoch", c.kind, c.request
    FROM lease_call c JOIN lease x ON x.id = c.lease_id
    JOIN slot l ON l.id = c.slot_id AND l.epoch = c.slot_epoch JOIN board b ON b.id = l.board_id
    WHERE b.board_server_id = ${serverId}::uuid AND c.ended_at IS NULL AND ${goesOn}
      AND c.created_at > now() - interval '30 seconds'
    ORDER BY c.created_at LIMIT 100`;
  return rows.flatMap(({ id: uuid, slotId, slotEpoch, kind, request }): CallCommand[] => {
    const id = toId(idPrefixes.leaseCall, uuid);
    if (begun.has(id)) return [];
    const to = { id, slotId: toId(idPrefixes.slot, slotId), slotEpoch };
    return [kind === "line" ? { kind, ...to, bytes: request } : { kind, ...to, request }];
  });
}
