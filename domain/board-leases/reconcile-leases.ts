import { database, sql, withTransaction } from "@/lib/server/db";
import { endLease } from "./commands";
import { lockBoard, noteBeginning } from "./locked-board";
import { grantWaiting } from "./waiting";

/** Leases that one pass ends or begins. */
const perPass = 200;

/** That a lease `x` ran out, or is of somebody who is no builder of its project any more. */
const isOver = sql`(x.expires_at <= now() OR (x.user_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM membership m
  WHERE m.project_id = x.project_id AND m.user_id = x.user_id AND m.role IN ('builder', 'admin'))))`;

/** That a lease `x` came of a waiting list, its holder has done nothing with the board by its time, and somebody else waits for it. */
const isIdle = sql`(x.accept_by <= now() AND EXISTS (
  SELECT 1 FROM lease_wait w JOIN board b ON b.id = x.board_id
  WHERE w.ended_at IS NULL AND NOT (w.project_id = x.project_id AND w.user_id IS NOT DISTINCT FROM x.user_id)
    AND (w.board_id = b.id OR (w.board_id IS NULL AND w.board_kind = b.kind AND w.board_model = b.board_model))))`;
const ends = sql`(${isOver} OR coalesce(${isIdle}, false))`;

/**
 * Ends leases that ran out, those of people who left their project, and those that nobody uses while somebody waits, notes bookings that begin, and gives what is free to those
 * who wait. What a lease allows is told by the database's clock alone, so a late pass gives nobody more time.
 *
 * @param acceptMinutes How long who came from a waiting list has before a board that they leave alone goes on.
 * @returns How many leases ended or began.
 */
export async function reconcileLeases({
  acceptMinutes = 10,
}: {
  readonly acceptMinutes?: number;
} = {}): Promise<number> {
  const due = await database().$queryRaw<{ id: string; boardId: string; isOver: boolean }[]>`
    SELECT x.id, x.board_id AS "boardId", ${ends} AS "isOver" FROM lease x
    WHERE x.released_at IS NULL AND (${ends} OR (x.started_at IS NULL AND x.starts_at <= now()))
    ORDER BY x.expires_at LIMIT ${perPass}`;
  let changed = 0;
  // Those that end first: the board of one may be another's from now on.
  for (const { id, boardId, isOver: isEnding } of due.toSorted((a, b) => +b.isOver - +a.isOver)) {
    await withTransaction(async (tx) => {
      const board = await lockBoard(tx, boardId);
      if (!board) return;
      const [row] = await tx.$queryRaw<{ isOver: boolean; isIdle: boolean }[]>`
        SELECT ${ends} AS "isOver", NOT ${isOver} AS "isIdle" FROM lease x WHERE x.id = ${id}::uuid AND x.released_at IS NULL FOR UPDATE`;
      // It was extended or handed back meanwhile.
      if (!row || row.isOver !== isEnding) return;
      if (isEnding) {
        if (row.isIdle)
          await tx.$executeRaw`UPDATE lease SET passed_on_at = now() WHERE id = ${id}::uuid`;
        await endLease(tx, { id, board });
      } else await noteBeginning(tx, board, id);
      changed++;
    });
  }
  return changed + (await grantWaiting(acceptMinutes));
}
