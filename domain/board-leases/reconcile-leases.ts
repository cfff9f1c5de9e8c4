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

/**
 * Ends leases that ran out and those of people who left their project, notes bookings that begin, and gives what is free to those
 * who wait. What a lease allows is told by the database's clock alone, so a late pass gives nobody more time.
 *
 * @returns How many leases ended or began.
 */
export async function reconcileLeases(): Promise<number> {
  const due = await database().$queryRaw<{ id: string; boardId: string; isOver: boolean }[]>`
    SELECT x.id, x.board_id AS "boardId", ${isOver} AS "isOver" FROM lease x
    WHERE x.released_at IS NULL AND (${isOver} OR (x.started_at IS NULL AND x.starts_at <= now()))
    ORDER BY x.expires_at LIMIT ${perPass}`;
  let changed = 0;
  // Those that end first: the board of one may be another's from now on.
  for (const { id, boardId, isOver: ends } of due.toSorted((a, b) => +b.isOver - +a.isOver)) {
    await withTransaction(async (tx) => {
      const board = await lockBoard(tx, boardId);
      if (!board) return;
      const [row] = await tx.$queryRaw<{ isOver: boolean }[]>`
        SELECT ${isOver} AS "isOver" FROM lease x WHERE x.id = ${id}::uuid AND x.released_at IS NULL FOR UPDATE`;
      // It was extended or handed back meanwhile.
      if (!row || row.isOver !== ends) return;
      if (ends) await endLease(tx, { id, board });
      else await noteBeginning(tx, board, id);
      changed++;
    });
  }
  return changed + (await grantWaiting());
}
