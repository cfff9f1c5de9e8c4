import { commandSlot } from "@/domain/endpoints";
import { recordBoardEvents } from "@/domain/events";
import { type BoardTaskKind, type DrainMode, idPrefixes, type Scope } from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { parseId, type Tx, withTransaction } from "@/lib/server/db";
import { type BoardAction, type BoardFacts, whyNot } from "./refusals";
import { isSilent } from "./state";
import { addTasks } from "./tasks";

interface LockedBoard extends BoardFacts {
  readonly id: string;
  readonly drain: DrainMode | null;
}

/** Does something with a board that nobody else changes meanwhile, and tells of it. */
async function change(
  id: string,
  action: BoardAction,
  act: (tx: Tx, board: LockedBoard) => Promise<void>,
): Promise<void> {
  const uuid = parseId(idPrefixes.board, id);
  if (!uuid) throw notFound("board", id);
  await withTransaction(async (tx) => {
    const [board] = await tx.$queryRaw<LockedBoard[]>`
      SELECT b.id, b.name, b.board_model AS "boardModel", b.kind, b.loads, b.drain, s.version,
        b.removed_at IS NOT NULL AS "isRemoved", ${isSilent} AS "isSilent",
        coalesce((SELECT jsonb_agg(jsonb_build_object('state', l.state, 'isWanted', l.desired_revision_id IS NOT NULL))
          FROM slot l WHERE l.board_id = b.id), '[]'::jsonb) AS slots
      FROM board b JOIN board_server s ON s.id = b.board_server_id WHERE b.id = ${uuid}::uuid FOR UPDATE OF b`;
    if (!board) throw notFound("board", id);
    const refusal = whyNot(action, board);
    if (refusal) throw refusal;
    await act(tx, board);
    await recordBoardEvents(tx, new Set([board.id]));
  });
}

const note = (
  tx: Tx,
  boardId: string,
  kind: string,
  detail: Readonly<Record<string, string>> = {},
) => tx.boardHistory.create({ data: { boardId, kind, detail } });

/**
 * Drains a board for maintenance: nothing new is placed on it. What it holds is loaded elsewhere and then let go of, or it stays;
 * what nothing else has room for stays until something has. Again is no error, and may change which of the two.
 *
 * @throws {AppError} `NOT_FOUND`, `STATE_CONFLICT` for a board that is no longer here.
 */
export async function drainBoard(_scope: Scope, id: string, mode: DrainMode): Promise<void> {
  await change(id, "drain", async (tx, board) => {
    if (board.drain === mode) return;
    await tx.$executeRaw`
      UPDATE board SET drain = ${mode}, drained_at = coalesce(drained_at, now()) WHERE id = ${board.id}::uuid`;
    await note(tx, board.id, "drained", { mode });
  });
}

/** Ends the drain of a board: it takes what comes. Again is no error. @throws {AppError} As `drainBoard`. */
export async function resumeBoard(_scope: Scope, id: string): Promise<void> {
  await change(id, "resume", async (tx, board) => {
    if (board.drain === null) return;
    await tx.$executeRaw`UPDATE board SET drain = NULL, drained_at = NULL WHERE id = ${board.id}::uuid`;
    await note(tx, board.id, "resumed");
  });
}

/**
 * Loads what a board should hold once more, and tests it. It answers nothing meanwhile.
 *
 * @throws {AppError} As `drainBoard`; `BOARD_OFFLINE`; `STATE_CONFLICT` where nothing is loaded.
 */
export async function reloadBoard(_scope: Scope, id: string): Promise<void> {
  await change(id, "reload", async (tx, board) => {
    const slots = await tx.$queryRaw<{ id: string; epoch: number; wanted: string }[]>`
      SELECT id, epoch, desired_revision_id AS wanted FROM slot
      WHERE board_id = ${board.id}::uuid AND desired_revision_id IS NOT NULL AND command_id IS NULL
      ORDER BY id FOR UPDATE`;
    for (const { id: slotId, epoch, wanted } of slots) await commandSlot(tx, slotId, epoch, wanted);
    if (slots.length > 0) await note(tx, board.id, "reloaded");
  });
}

/**
 * Asks a board server for something that changes nothing of what the board holds: to test it again, to blink.
 *
 * @throws {AppError} As `drainBoard`; `BOARD_OFFLINE`; `BOARD_CANNOT`; `STATE_CONFLICT` where nothing serves.
 */
export async function askBoard(_scope: Scope, id: string, kind: BoardTaskKind): Promise<void> {
  await change(id, kind === "blink" ? "blink" : "selfTest", async (tx, board) => {
    await addTasks(tx, board.id, kind);
  });
}
