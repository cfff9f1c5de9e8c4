import { findBoardModel } from "@/boards";
import type { OfferedBoard } from "@/lib/common/contract";
import { type Tx, uuidv7 } from "@/lib/server/db";

/** Writes the boards that a server has of its own accord, with their slots. Boards that are gone are kept, removed. */
export async function offerBoards(
  tx: Tx,
  serverId: string,
  boards: readonly OfferedBoard[],
): Promise<void> {
  for (const { key, boardModel, kind, slots } of boards) {
    const model = findBoardModel(boardModel);
    if (!model || kind === "simulated") continue;
    const [board] = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO board (id, board_server_id, key, name, board_model, kind)
      VALUES (${uuidv7()}::uuid, ${serverId}::uuid, ${key}, ${`${model.name} ${key}`}, ${boardModel}, ${kind})
      ON CONFLICT (board_server_id, key) DO UPDATE SET board_model = EXCLUDED.board_model, kind = EXCLUDED.kind,
        removed_at = NULL
      RETURNING id`;
    if (!board) continue;
    for (let index = 0; index < slots; index++) {
      await tx.$executeRaw`
        INSERT INTO slot (id, board_id, index) VALUES (${uuidv7()}::uuid, ${board.id}::uuid, ${index})
        ON CONFLICT (board_id, index) DO NOTHING`;
    }
  }
  const keys = boards.map(({ key }) => key);
  await tx.$executeRaw`
    UPDATE board SET removed_at = now()
    WHERE board_server_id = ${serverId}::uuid AND kind <> 'simulated' AND removed_at IS NULL
      AND NOT (key = ANY(${keys}::text[]))`;
}
