import { getBoardModel } from "@/boards";
import { isKeptForPeople } from "@/domain/board-holds";
import { recordBoardEvents } from "@/domain/events";
import { type Sql, sql, type Tx, uuidv7 } from "@/lib/server/db";
import type { Replica, RevisionView } from "./types";

/** A board server that was not heard for so long counts as gone. */
export const silentAfterS = 15;

/**
 * Finds a slot for a revision, makes it the owner (R13) and commands the load. Simulated boards are made on a server that
 * has room for one more.
 *
 * @returns Null when it was placed, else why not, in words.
 */
export async function placeInSlot(tx: Tx, revision: RevisionView): Promise<string | null> {
  const slot =
    revision.boardKind === "simulated"
      ? await makeSimulatedBoard(tx, revision.boardModel)
      : await findFreeSlot(tx, revision);
  if (!slot) {
    const name = getBoardModel(revision.boardModel).name;
    return revision.boardKind === "simulated"
      ? `No board server has room for another simulated ${name}.`
      : `No slot of a ${name} board is free.`;
  }
  await tx.slotAssignment.create({
    data: { id: uuidv7(), slotId: slot.id, revisionId: revision.id, epoch: slot.epoch + 1 },
  });
  await command(tx, slot.id, slot.epoch, revision.id);
  return null;
}

interface FreeSlot {
  readonly id: string;
  readonly epoch: number;
}

/** Makes a simulated board with one empty slot where a board server has room for one more. Null: none has. */
export async function makeSimulatedBoard(
  tx: Tx,
  boardModel: string,
): Promise<(FreeSlot & { readonly boardId: string }) | null> {
  // Locked first, counted after: a count of the same statement would not see boards that others have just made.
  await tx.$queryRaw`
    SELECT id FROM board_server WHERE heartbeat_at > now() - make_interval(secs => ${silentAfterS})
    ORDER BY id FOR UPDATE`;
  const [server] = await tx.$queryRaw<{ id: string }[]>`
    SELECT s.id FROM board_server s LEFT JOIN board b
      ON b.board_server_id = s.id AND b.kind = 'simulated' AND b.removed_at IS NULL
    WHERE s.heartbeat_at > now() - make_interval(secs => ${silentAfterS})
    GROUP BY s.id HAVING count(b.id) < s.simulated_capacity
    ORDER BY s.simulated_capacity - count(b.id) DESC, s.id LIMIT 1`;
  if (!server) return null;
  const id = uuidv7();
  const slotId = uuidv7();
  await tx.board.create({
    data: {
      id,
      boardServerId: server.id,
      key: id,
      name: `${getBoardModel(boardModel).name} sim-${id.slice(-4)}`,
      boardModel,
      kind: "simulated",
      slots: { create: { id: slotId, index: 0 } },
    },
  });
  return { id: slotId, epoch: 0, boardId: id };
}

/** Replicas of one revision are spread over board servers, so that the loss of one is not the loss of all. */
async function findFreeSlot(tx: Tx, revision: RevisionView): Promise<FreeSlot | null> {
  const [slot] = await tx.$queryRaw<FreeSlot[]>`
    SELECT l.id, l.epoch FROM slot l
    JOIN board b ON b.id = l.board_id JOIN board_server s ON s.id = b.board_server_id
    WHERE ${canTake(revision)} AND l.state = 'empty' AND l.command_id IS NULL AND l.desired_revision_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM slot_assignment a WHERE a.slot_id = l.id AND a.released_at IS NULL)
    ORDER BY (
        SELECT count(*) FROM slot_assignment a JOIN slot o ON o.id = a.slot_id JOIN board ob ON ob.id = o.board_id
        WHERE a.revision_id = ${revision.id}::uuid AND a.released_at IS NULL
          AND ob.board_server_id = s.id),
      b.id, l.index LIMIT 1 FOR UPDATE OF l SKIP LOCKED`;
  if (!slot) return null;
  // Somebody may have taken the board while it was looked for: whoever does has its slots locked.
  const [free] = await tx.$queryRaw<{ id: string }[]>`
    SELECT b.id FROM board b JOIN slot l ON l.board_id = b.id
    WHERE l.id = ${slot.id}::uuid AND NOT ${isKeptForPeople}`;
  return free ? slot : null;
}

/** Boards `b` on servers `s` that a revision could be loaded on if they had room: none that is drained, or that people have. */
export const canTake = ({
  boardKind,
  boardModel,
  boardId,
  artifactDigest,
}: RevisionView): Sql => sql`
  b.kind = ${boardKind} AND b.board_model = ${boardModel} AND b.removed_at IS NULL AND b.drain IS NULL AND NOT ${isKeptForPeople}
    AND ${boardId ? sql`b.id = ${boardId}::uuid` : loads(artifactDigest)}
    AND s.heartbeat_at > now() - make_interval(secs => ${silentAfterS})`;

/**
 * Boards that can load the artifact. Who names a board gets that one, and its own word where it cannot.
 *
 * The metadata file is what firmware of BondMachine's original system has, and no other.
 */
const loads = (artifactDigest: string | null): Sql => sql`
  (b.loads = 'bondmachine') = EXISTS (
    SELECT 1 FROM artifact f WHERE f.digest = ${artifactDigest}
      AND f.manifest -> 'files' @> '[{"role": "metadata"}]'::jsonb)`;

/**
 * Wants another revision (or none) of a slot: its epoch grows, which fences every older command and report. Nothing
 * happens if the slot's epoch is not the one the caller saw.
 */
export async function command(
  tx: Tx,
  slotId: string,
  epoch: number,
  revisionId: string | null,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE slot SET epoch = epoch + 1, desired_revision_id = ${revisionId}::uuid, command_id = ${uuidv7()}::uuid,
      command_at = now(), problem = NULL, updated_at = now()
    WHERE id = ${slotId}::uuid AND epoch = ${epoch}`;
}

/** Ends a replica: its slot is nobody's, and cannot be anybody's before its board says that it is empty. */
export async function releaseSlot(tx: Tx, replica: Replica): Promise<void> {
  await tx.$executeRaw`
    UPDATE slot_assignment SET released_at = now()
    WHERE id = ${replica.assignmentId}::uuid AND released_at IS NULL`;
  await command(tx, replica.slotId, replica.epoch, null);
}

/** Slots or boards that one statement changes. */
const perPass = 500;

/** Slots of servers that fell silent are unreachable, until the server reports again. Answers how many changed. */
export async function markUnreachable(tx: Tx): Promise<number> {
  const rows = await tx.$queryRaw<{ boardId: string }[]>`
    UPDATE slot l SET state = 'unreachable', updated_at = now() FROM (
      SELECT l.id FROM slot l JOIN board b ON b.id = l.board_id JOIN board_server s ON s.id = b.board_server_id
      WHERE l.state NOT IN ('unreachable', 'empty') AND b.removed_at IS NULL
        AND s.heartbeat_at < now() - make_interval(secs => ${silentAfterS})
      ORDER BY l.id LIMIT ${perPass} FOR UPDATE OF l) silent
    WHERE l.id = silent.id
    RETURNING l.board_id AS "boardId"`;
  await recordBoardEvents(tx, new Set(rows.map(({ boardId }) => boardId)));
  return rows.length;
}

/** Simulated boards go once their slot is nobody's and empty, and no person wants them. Answers how many went. */
export async function removeUnusedSlots(tx: Tx): Promise<number> {
  // Locked first, looked at after: somebody may have leased one meanwhile.
  const unused = await tx.$queryRaw<{ id: string }[]>`
    SELECT b.id FROM board b WHERE ${isUnused} ORDER BY b.id LIMIT ${perPass} FOR UPDATE OF b SKIP LOCKED`;
  if (unused.length === 0) return 0;
  const gone = await tx.$queryRaw<{ id: string }[]>`
    UPDATE board b SET removed_at = now() WHERE b.id = ANY(${unused.map(({ id }) => id)}::uuid[]) AND ${isUnused}
    RETURNING b.id`;
  await recordBoardEvents(tx, new Set(gone.map(({ id }) => id)));
  return gone.length;
}

const isUnused = sql`b.kind = 'simulated' AND b.removed_at IS NULL AND NOT ${isKeptForPeople} AND NOT EXISTS (
  SELECT 1 FROM slot l LEFT JOIN slot_assignment a ON a.slot_id = l.id AND a.released_at IS NULL
  WHERE l.board_id = b.id AND (
    l.command_id IS NOT NULL OR l.desired_revision_id IS NOT NULL OR l.state <> 'empty' OR a.id IS NOT NULL))`;
