import { recordBoardEvents } from "@/domain/events";
import { type Sql, sql, type Tx, withTransaction } from "@/lib/server/db";
import { isSilent, slotSummary, stateOfBoard } from "./state";

/** Notes the states of the boards of a server where they changed. Answers which did. */
export async function noteStates(tx: Tx, serverId: string): Promise<readonly string[]> {
  return await note(tx, sql`s.id = ${serverId}::uuid`);
}

/** Notes that boards whose server fell silent are offline. Answers how many. */
export async function noteSilence(): Promise<number> {
  return await withTransaction(async (tx) => {
    const changed = await note(tx, sql`${isSilent} AND b.state <> 'offline'`);
    await recordBoardEvents(tx, new Set(changed));
    return changed.length;
  });
}

/** Boards that one statement changes. */
const perPass = 500;

/** A board goes offline when its server's silence began to count, whenever somebody looked. */
async function note(tx: Tx, which: Sql): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH seen AS (
      SELECT b.id, ${stateOfBoard} AS state, s.heartbeat_at AS heard
      FROM board b JOIN board_server s ON s.id = b.board_server_id ${slotSummary}
      WHERE b.removed_at IS NULL AND ${which}),
    other AS (
      SELECT b.id, b.state AS was, seen.state, seen.heard FROM board b JOIN seen ON seen.id = b.id
      WHERE b.state <> seen.state ORDER BY b.id LIMIT ${perPass} FOR UPDATE OF b SKIP LOCKED),
    changed AS (
      UPDATE board b SET state = other.state FROM other WHERE b.id = other.id
      RETURNING b.id, other.was, other.state, other.heard),
    written AS (
      INSERT INTO board_history (board_id, kind, detail, created_at)
      SELECT id, 'state', jsonb_build_object('from', was, 'to', state),
        CASE WHEN state = 'offline' THEN least(now(), coalesce(heard + interval '15 seconds', now())) ELSE now() END
      FROM changed)
    SELECT id FROM changed`;
  return rows.map(({ id }) => id);
}
