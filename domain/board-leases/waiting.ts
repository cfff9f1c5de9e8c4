import { findBoardModel } from "@/boards";
import { hasLeaseRoom } from "@/domain/quotas";
import {
  idPrefixes,
  type LeaseLimits,
  type LeaseTarget,
  type LeaseWait,
  type NewLeaseWait,
} from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { database, parseId, type Tx, uuidv7, withTransaction } from "@/lib/server/db";
import { makeBoard, minutesOf } from "./commands";
import { type Asker, type LockedBoard, lockBoard, tell, writeLease } from "./locked-board";
import { listWaits } from "./queries";
import { whyHeld, whyLeased } from "./why-held";

/** Places in waiting lists that one person may have at once. */
const mostWaits = 20;

/**
 * Asks for the next time that a board is free, or any board of a model: the lease begins by itself then. Who waits for it already
 * keeps their place.
 *
 * @throws {AppError} `NOT_FOUND`, `BOARD_CANNOT` for a CPU, `STATE_CONFLICT` for a board that is gone, `VALIDATION`,
 *   `QUOTA_EXCEEDED`
 */
export async function joinWaiting(
  asker: Asker,
  { board: target, minutes: asked, purpose }: NewLeaseWait,
  limits: LeaseLimits,
): Promise<LeaseWait> {
  const minutes = minutesOf(asked, limits);
  const { scope, userId } = asker;
  const id = await withTransaction(async (tx) => {
    const { board, boardModel, kind } = await findTarget(tx, asker, target);
    await tx.$executeRaw`SELECT FROM project WHERE id = ${scope}::uuid FOR UPDATE`;
    const own = await tx.$queryRaw<{ id: string; isSame: boolean }[]>`
      SELECT id, (board_id, board_model, board_kind) IS NOT DISTINCT FROM
        (${board?.id ?? null}::uuid, ${boardModel}, ${kind}) AS "isSame"
      FROM lease_wait WHERE project_id = ${scope}::uuid AND user_id IS NOT DISTINCT FROM ${userId}::uuid AND ended_at IS NULL`;
    const same = own.find(({ isSame }) => isSame);
    if (same) return same.id;
    if (own.length >= mostWaits)
      throw fail("QUOTA_EXCEEDED", `You wait for ${mostWaits} boards already.`, {
        hint: "Leave a waiting list first.",
      });
    const wait = await tx.leaseWait.create({
      data: {
        id: uuidv7(),
        projectId: scope,
        userId,
        boardId: board?.id ?? null,
        boardModel,
        boardKind: kind,
        minutes,
        purpose,
      },
    });
    if (board) await tell(tx, board);
    return wait.id;
  });
  const wait = (await listWaits(asker)).find((each) => each.id === toWaitId(id));
  if (!wait) throw notFound("leaseWait", toWaitId(id));
  return wait;
}

const toWaitId = (uuid: string) => `${idPrefixes.leaseWait}_${uuid}`;

async function findTarget(
  tx: Tx,
  { scope }: Asker,
  target: LeaseTarget,
): Promise<{
  readonly board: LockedBoard | null;
  readonly boardModel: string;
  readonly kind: string;
}> {
  if (!("id" in target)) {
    const model = findBoardModel(target.model);
    if (!model || model.part.flow.kind === "cpu") throw notFound("boardModel", target.model);
    return { board: null, boardModel: model.id, kind: target.kind };
  }
  const uuid = parseId(idPrefixes.board, target.id);
  const board = uuid && (await lockBoard(tx, uuid));
  if (!board) throw notFound("board", target.id);
  const refusal = whyHeld(scope, board, { isNow: false });
  if (refusal && refusal.reason !== "BOARD_TAKEN") throw refusal;
  return { board, boardModel: board.boardModel, kind: board.kind };
}

/** Leaves a waiting list. @throws {AppError} `NOT_FOUND`, `FORBIDDEN` */
export async function leaveWaiting(asker: Asker, id: string): Promise<void> {
  const uuid = parseId(idPrefixes.leaseWait, id);
  await withTransaction(async (tx) => {
    const wait =
      uuid &&
      (await tx.leaseWait.findFirst({
        where: { id: uuid, projectId: asker.scope, endedAt: null },
      }));
    if (!wait) throw notFound("leaseWait", id);
    if (wait.userId !== asker.userId && !asker.mayEndOthers)
      throw fail("FORBIDDEN", "This place in the waiting list is somebody else's.", {
        hint: "They, or an admin of the project, can give it up.",
      });
    const board = wait.boardId === null ? null : await lockBoard(tx, wait.boardId);
    await tx.$executeRaw`
      UPDATE lease_wait SET ended_at = now() WHERE id = ${wait.id}::uuid AND ended_at IS NULL`;
    if (board) await tell(tx, board);
  });
}

interface OpenWait {
  readonly id: string;
  readonly projectId: Asker["scope"];
  readonly userId: string | null;
  readonly boardId: string | null;
  readonly boardModel: string;
  readonly boardKind: string;
  readonly minutes: number;
  readonly purpose: string;
}

/** Places in waiting lists that one pass looks at. */
const perPass = 200;

/** Gives boards that are free to those who wait, the first that asked first; they have so long to do something with it. Answers how many begin. */
export async function grantWaiting(acceptMinutes: number): Promise<number> {
  await database().$executeRaw`
    UPDATE lease_wait w SET ended_at = now() WHERE w.ended_at IS NULL AND (
      (w.user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM membership m
        WHERE m.project_id = w.project_id AND m.user_id = w.user_id AND m.role IN ('builder', 'admin')))
      OR EXISTS (SELECT 1 FROM board b WHERE b.id = w.board_id AND b.kind = 'simulated' AND b.removed_at IS NOT NULL))`;
  const waits = await database().$queryRaw<OpenWait[]>`
    SELECT w.id, w.project_id AS "projectId", w.user_id AS "userId", w.board_id AS "boardId",
      w.board_model AS "boardModel", w.board_kind AS "boardKind", w.minutes, w.purpose
    FROM lease_wait w
    WHERE w.ended_at IS NULL AND (w.board_id IS NULL OR NOT EXISTS (
      SELECT 1 FROM lease x WHERE x.board_id = w.board_id AND x.released_at IS NULL
        AND x.starts_at <= now() AND x.expires_at > now()))
    ORDER BY w.created_at, w.id LIMIT ${perPass}`;
  let granted = 0;
  for (const wait of waits)
    if (await withTransaction((tx) => grant(tx, wait, acceptMinutes))) granted++;
  return granted;
}

async function grant(tx: Tx, wait: OpenWait, acceptMinutes: number): Promise<boolean> {
  // Who waits for a project that may have no more boards goes on waiting.
  if (!(await hasLeaseRoom(tx, wait.projectId))) return false;
  const board = await findBoard(tx, wait);
  if (!board) return false;
  const leaseId = uuidv7();
  const ended = await tx.$executeRaw`
    UPDATE lease_wait SET ended_at = now(), lease_id = ${leaseId}::uuid WHERE id = ${wait.id}::uuid AND ended_at IS NULL`;
  if (ended !== 1) return false;
  await writeLease(tx, board, { ...wait, startsAt: null }, leaseId);
  await tx.$executeRaw`
    UPDATE lease SET accept_by = now() + make_interval(mins => ${acceptMinutes}) WHERE id = ${leaseId}::uuid`;
  return true;
}

async function findBoard(tx: Tx, wait: OpenWait): Promise<LockedBoard | null> {
  const { projectId: scope, boardId, boardModel, boardKind } = wait;
  if (boardId === null && boardKind === "simulated") return await makeBoard(tx, boardModel);
  const ids =
    boardId !== null
      ? [boardId]
      : (
          await tx.board.findMany({
            where: { kind: boardKind, boardModel, removedAt: null },
            orderBy: { id: "asc" },
            take: 100,
            select: { id: true },
          })
        ).map(({ id }) => id);
  for (const id of ids) {
    const board = await lockBoard(tx, id);
    if (!board || whyHeld(scope, board, { isNow: true })) continue;
    // A booking that begins at once leaves no time worth having; a later one ends the lease.
    if (!(await whyLeased(tx, scope, board, { startsAt: null, minutes: 1 }))) return board;
  }
  return null;
}
