import { isKeptForPeople } from "@/domain/board-holds";
import { fail } from "@/lib/common/errors";
import type { Tx } from "@/lib/server/db";

/** Names that boards of a server have: those it offers, and those at addresses. */
export async function keysOf(tx: Tx, serverId: string): Promise<Set<string>> {
  const where = { boardServerId: serverId };
  const select = { key: true };
  const boards = await tx.board.findMany({ where: { ...where, removedAt: null }, select });
  const attached = await tx.attachedBoard.findMany({ where, select });
  return new Set([...boards, ...attached].map(({ key }) => key));
}

/** @throws {AppError} `STATE_CONFLICT` while a board holds a model, or is to hold one. */
export async function requireUnused(
  tx: Tx,
  { serverId, key }: { readonly serverId: string; readonly key: string },
): Promise<void> {
  const [busy] = await tx.$queryRaw<{ name: string | null }[]>`
    SELECT e.name FROM slot l JOIN board b ON b.id = l.board_id
    LEFT JOIN slot_assignment a ON a.slot_id = l.id AND a.released_at IS NULL
    LEFT JOIN revision r ON r.id = a.revision_id LEFT JOIN endpoint e ON e.id = r.endpoint_id
    WHERE b.board_server_id = ${serverId}::uuid AND b.key = ${key} AND b.removed_at IS NULL
      AND (a.id IS NOT NULL OR l.state <> 'empty') LIMIT 1`;
  if (!busy) return await requireNoLease(tx, { serverId, key });
  throw fail(
    "STATE_CONFLICT",
    `Board ${key} is in use${busy.name ? ` by endpoint ${busy.name}` : ""}.`,
    { hint: "Delete the endpoint, or deploy it on another board, first." },
  );
}

async function requireNoLease(
  tx: Tx,
  { serverId, key }: { readonly serverId: string; readonly key: string },
): Promise<void> {
  const [kept] = await tx.$queryRaw<{ id: string }[]>`
    SELECT b.id FROM board b WHERE b.board_server_id = ${serverId}::uuid AND b.key = ${key} AND b.removed_at IS NULL
      AND ${isKeptForPeople}`;
  if (!kept) return;
  throw fail("STATE_CONFLICT", `Somebody has board ${key}, has booked it or waits for it.`, {
    hint: "Drain it, and give it up once it is handed back and nobody waits for it.",
  });
}
