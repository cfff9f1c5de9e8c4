import { findBoardModel } from "@/boards";
import type { OfferedBoard } from "@/lib/common/contract";
import { type Tx, uuidv7 } from "@/lib/server/db";

/**
 * Writes the boards that a server has of its own accord, with their slots. Boards that are gone are kept, removed.
 *
 * @returns the ids of the boards that are new, altered or gone.
 */
export async function offerBoards(
  tx: Tx,
  serverId: string,
  boards: readonly OfferedBoard[],
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const { key, boardModel, kind, slots, loads = "boardwalk" } of boards) {
    const model = findBoardModel(boardModel);
    if (!model || kind === "simulated") continue;
    const written = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO board (id, board_server_id, key, name, board_model, kind, loads)
      VALUES (${uuidv7()}::uuid, ${serverId}::uuid, ${key}, ${`${model.name} ${key}`}, ${boardModel}, ${kind}, ${loads})
      ON CONFLICT (board_server_id, key) DO UPDATE SET board_model = EXCLUDED.board_model, kind = EXCLUDED.kind,
        loads = EXCLUDED.loads, removed_at = NULL
      WHERE (board.board_model, board.kind, board.loads, board.removed_at)
        IS DISTINCT FROM (EXCLUDED.board_model, EXCLUDED.kind, EXCLUDED.loads, NULL)
      RETURNING id`;
    for (const { id } of written) changed.add(id);
    for (let index = 0; index < slots; index++) {
      const added = await tx.$queryRaw<{ boardId: string }[]>`
        INSERT INTO slot (id, board_id, index)
        SELECT ${uuidv7()}::uuid, id, ${index} FROM board WHERE board_server_id = ${serverId}::uuid AND key = ${key}
        ON CONFLICT (board_id, index) DO NOTHING
        RETURNING board_id AS "boardId"`;
      for (const { boardId } of added) changed.add(boardId);
    }
  }
  const keys = boards.map(({ key }) => key);
  const gone = await tx.$queryRaw<{ id: string }[]>`
    UPDATE board SET removed_at = now()
    WHERE board_server_id = ${serverId}::uuid AND kind <> 'simulated' AND removed_at IS NULL
      AND NOT (key = ANY(${keys}::text[]))
    RETURNING id`;
  for (const { id } of gone) changed.add(id);
  return changed;
}
