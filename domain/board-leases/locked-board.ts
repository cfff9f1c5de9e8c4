import { noteStates } from "@/domain/boards";
import { recordBoardEvents } from "@/domain/events";
import type { BoardKind, Scope, SlotState } from "@/lib/common/contract";
import { type Tx, uuidv7 } from "@/lib/server/db";

/** Who asks for something that has to do with leases. */
export interface Asker {
  readonly scope: Scope;
  /** UUID; null of the owner of an installation without accounts, and of programs. */
  readonly userId: string | null;
  /** Whether they may also end what others of the project have. */
  readonly mayEndOthers: boolean;
}

/** A place of a board that nobody else changes meanwhile. */
export interface LockedSlot {
  readonly id: string;
  readonly epoch: number;
  readonly state: SlotState;
  /** A revision or a load of a lease. */
  readonly wantedId: string | null;
  readonly isTold: boolean;
  /** What serves from it, of any project. */
  readonly endpoint: string | null;
  readonly endpointProjectId: string | null;
}

/** A board that nobody else changes meanwhile, nor what its places are meant for. */
export interface LockedBoard {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
  readonly boardModel: string;
  readonly kind: BoardKind;
  readonly isRemoved: boolean;
  readonly isDrained: boolean;
  readonly isSilent: boolean;
  readonly slots: readonly LockedSlot[];
}

/** Locks a board, then its places, as reports of board servers do. Null: there is none. */
export async function lockBoard(tx: Tx, id: string): Promise<LockedBoard | null> {
  const [board] = await tx.$queryRaw<Omit<LockedBoard, "slots">[]>`
    SELECT b.id, b.board_server_id AS "serverId", b.name, b.board_model AS "boardModel", b.kind,
      b.removed_at IS NOT NULL AS "isRemoved", b.drain IS NOT NULL AS "isDrained",
      coalesce(s.heartbeat_at < now() - interval '15 seconds', true) AS "isSilent"
    FROM board b JOIN board_server s ON s.id = b.board_server_id WHERE b.id = ${id}::uuid FOR UPDATE OF b`;
  if (!board) return null;
  await tx.$queryRaw`SELECT id FROM slot WHERE board_id = ${id}::uuid ORDER BY id FOR UPDATE`;
  const slots = await tx.$queryRaw<LockedSlot[]>`
    SELECT l.id, l.epoch, l.state, l.desired_revision_id AS "wantedId", l.command_id IS NOT NULL AS "isTold",
      e.name AS endpoint, e.project_id AS "endpointProjectId"
    FROM slot l LEFT JOIN slot_assignment a ON a.slot_id = l.id AND a.released_at IS NULL
    LEFT JOIN revision r ON r.id = a.revision_id LEFT JOIN endpoint e ON e.id = r.endpoint_id
    WHERE l.board_id = ${id}::uuid ORDER BY l.index`;
  return { ...board, slots };
}

/** Whether a place is empty, nobody's, and told nothing. */
export const isFree = ({ state, wantedId, isTold, endpoint }: LockedSlot): boolean =>
  state === "empty" && wantedId === null && !isTold && endpoint === null;

/** A lease that begins: what is written of it. */
export interface Beginning {
  readonly projectId: string;
  readonly userId: string | null;
  readonly minutes: number;
  readonly purpose: string;
  /** ISO time; null: now. */
  readonly startsAt: string | null;
}

/** Writes a lease of a locked board, which goes no further than to the next booking. In whole milliseconds, as times travel. Answers its UUID. */
export async function writeLease(
  tx: Tx,
  board: LockedBoard,
  { projectId, userId, minutes, purpose, startsAt }: Beginning,
  id = uuidv7(),
): Promise<string> {
  await tx.$executeRaw`
    INSERT INTO lease (id, project_id, board_id, user_id, purpose, starts_at, expires_at)
    SELECT ${id}::uuid, ${projectId}::uuid, ${board.id}::uuid, ${userId}::uuid, ${purpose}, t.starts,
      least(t.starts + make_interval(mins => ${minutes}), (
        SELECT min(n.starts_at) FROM lease n
        WHERE n.board_id = ${board.id}::uuid AND n.released_at IS NULL AND n.starts_at > t.starts))
    FROM (SELECT date_trunc('milliseconds', coalesce(${startsAt}::timestamptz, now())) AS starts) t`;
  if (startsAt === null) await noteBeginning(tx, board, id);
  else await tell(tx, board);
  return id;
}

/** Notes that a lease has begun. */
export async function noteBeginning(tx: Tx, board: LockedBoard, leaseId: string): Promise<void> {
  const noted = await tx.$executeRaw`
    WITH begun AS (
      UPDATE lease SET started_at = now() WHERE id = ${leaseId}::uuid AND started_at IS NULL AND released_at IS NULL
      RETURNING board_id, project_id, user_id, expires_at)
    INSERT INTO board_history (board_id, kind, detail)
    SELECT x.board_id, 'leased', jsonb_strip_nulls(jsonb_build_object(
      'projectId', x.project_id, 'person', p.name, 'until', to_char(x.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    FROM begun x LEFT JOIN "user" p ON p.id = x.user_id`;
  if (noted > 0) await tell(tx, board);
}

/** Notes that the holder of a lease did something with the board: it does not go on to who waits. */
export async function acceptLease(tx: Tx, leaseId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE lease SET accept_by = NULL WHERE id = ${leaseId}::uuid AND accept_by IS NOT NULL`;
}

/** Tells of a board that another has now, or that is booked or waited for; the last thing that a transaction does. */
export async function tell(tx: Tx, board: LockedBoard): Promise<void> {
  await noteStates(tx, board.serverId);
  await recordBoardEvents(tx, new Set([board.id]));
}
