import { findBoardModel } from "@/boards";
import { commandSlot, makeSimulatedBoard } from "@/domain/endpoints";
import { requireLeaseRoom } from "@/domain/quotas";
import {
  idPrefixes,
  type Lease,
  type LeaseLimits,
  type LeaseTarget,
  type NewLease,
} from "@/lib/common/contract";
import { fail, isAppError, notFound } from "@/lib/common/errors";
import { database, parseId, type Tx, withTransaction } from "@/lib/server/db";
import { type Asker, type LockedBoard, lockBoard, tell, writeLease } from "./locked-board";
import { readLease } from "./queries";
import { countWaiting, queuedBefore, whyHeld, whyLeased } from "./why-held";

/** Leases and bookings that one person may have at once. */
const mostOpen = 20;

/**
 * Gives somebody a free board for a time, from now on or from a time to come.
 *
 * @throws {AppError} `BOARD_TAKEN`, which says who has it and until when; `BOARD_OFFLINE`, `BOARD_CANNOT`, `NO_BOARD_FREE`,
 *   `VALIDATION` for times that are too long, past or too far ahead; `QUOTA_EXCEEDED`, `NOT_FOUND`
 */
export async function takeLease(
  asker: Asker,
  request: NewLease,
  limits: LeaseLimits,
): Promise<Lease> {
  const minutes = minutesOf(request.minutes, limits);
  const startsAt = request.startsAt ?? null;
  const beginning = {
    projectId: asker.scope,
    userId: asker.userId,
    minutes,
    purpose: request.purpose,
    startsAt,
  };
  const id = await withTransaction(async (tx) => {
    if (startsAt !== null) await requireAhead(tx, startsAt, limits);
    await requireRoom(tx, asker);
    // A booking holds no board until it begins.
    if (startsAt === null) await requireLeaseRoom(tx, asker.scope);
    const board = await findFree(tx, asker, request.board, { startsAt, minutes });
    return await writeLease(tx, board, beginning);
  });
  return await readLease(asker, id);
}

/** @throws {AppError} `VALIDATION` */
export function minutesOf(asked: number | undefined, { minutes, mostMinutes }: LeaseLimits) {
  const wanted = asked ?? minutes;
  if (wanted <= mostMinutes) return wanted;
  throw fail("VALIDATION", `A board is leased for ${mostMinutes} minutes at most.`, {
    field: "minutes",
    hint: "Take it for less; while nobody waits for it, a lease can be extended.",
  });
}

/** By the database's clock. */
async function requireAhead(tx: Tx, startsAt: string, { aheadDays }: LeaseLimits): Promise<void> {
  const [time] = await tx.$queryRaw<{ isPast: boolean; isFar: boolean }[]>`
    SELECT ${startsAt}::timestamptz <= now() AS "isPast",
      ${startsAt}::timestamptz > now() + make_interval(days => ${aheadDays}) AS "isFar"`;
  if (time && !time.isPast && !time.isFar) return;
  throw fail(
    "VALIDATION",
    time?.isPast
      ? "The booking would begin in the past."
      : `A board can be booked ${aheadDays} days ahead at most.`,
    { field: "startsAt", hint: "Leave the time out to have the board from now on." },
  );
}

/** Two that ask at once are counted one after the other. */
async function requireRoom(tx: Tx, { scope, userId }: Asker): Promise<void> {
  await tx.$executeRaw`SELECT FROM project WHERE id = ${scope}::uuid FOR UPDATE`;
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM lease WHERE project_id = ${scope}::uuid
      AND user_id IS NOT DISTINCT FROM ${userId}::uuid AND released_at IS NULL AND expires_at > now()`;
  if ((row?.count ?? 0) < mostOpen) return;
  throw fail("QUOTA_EXCEEDED", `You have ${mostOpen} leases and bookings already.`, {
    hint: "Hand a board back, or cancel a booking.",
  });
}

/** When, and for how long. */
interface Time {
  readonly startsAt: string | null;
  readonly minutes: number;
}

async function findFree(
  tx: Tx,
  asker: Asker,
  target: LeaseTarget,
  time: Time,
): Promise<LockedBoard> {
  if ("id" in target) {
    const uuid = parseId(idPrefixes.board, target.id);
    const board = uuid && (await lockBoard(tx, uuid));
    if (!board) throw notFound("board", target.id);
    await requireFree(tx, asker, board, time);
    return board;
  }
  const model = findBoardModel(target.model);
  if (!model) throw notFound("boardModel", target.model);
  if (time.startsAt !== null)
    throw fail("VALIDATION", "A booking for later names one board.", {
      field: "board",
      hint: 'Give {"id":"brd_…"}; GET /api/v1/boards lists them.',
    });
  if (target.kind === "simulated") {
    const board = await makeBoard(tx, model.id);
    if (board) return board;
    throw fail("NO_BOARD_FREE", `No board server has room for another simulated ${model.name}.`, {
      hint: "Ask for a place in the waiting list of the model.",
    });
  }
  return await findPhysical(tx, asker, model, time);
}

/** A new simulated board, locked. Null: no board server has room for one. */
export async function makeBoard(tx: Tx, boardModel: string): Promise<LockedBoard | null> {
  const made = await makeSimulatedBoard(tx, boardModel);
  return made && (await lockBoard(tx, made.boardId));
}

async function findPhysical(
  tx: Tx,
  asker: Asker,
  model: { readonly id: string; readonly name: string },
  time: Time,
): Promise<LockedBoard> {
  const boards = await database().board.findMany({
    where: { kind: "physical", boardModel: model.id, removedAt: null },
    orderBy: { id: "asc" },
    take: 100,
    select: { id: true },
  });
  let refusal: unknown = null;
  for (const { id } of boards) {
    const board = await lockBoard(tx, id);
    if (!board) continue;
    try {
      await requireFree(tx, asker, board, time);
      return board;
    } catch (error) {
      if (!isAppError(error)) throw error;
      refusal ??= error;
    }
  }
  throw (
    refusal ??
    fail("NO_BOARD_FREE", `There is no ${model.name} on a cable here.`, {
      hint: "Lease a simulated one, or adopt a board on the page Boards.",
    })
  );
}

async function requireFree(tx: Tx, asker: Asker, board: LockedBoard, time: Time): Promise<void> {
  const isNow = time.startsAt === null;
  const refusal =
    (await whyLeased(tx, asker.scope, board, time)) ?? whyHeld(asker.scope, board, { isNow });
  if (refusal) throw refusal;
  const before = isNow ? await countWaiting(tx, board, asker) : 0;
  if (before > 0) throw queuedBefore(board, before);
}

/** A lease that has not ended, with its board, both locked. */
export interface LockedLease {
  readonly id: string;
  readonly isActive: boolean;
  readonly board: LockedBoard;
}

/**
 * Locks a lease of the asker's project with its board, if it is theirs to change.
 *
 * @param may `holder`: nobody else; `ender`: also whoever may end others'.
 * @throws {AppError} `NOT_FOUND`, `FORBIDDEN`, `LEASE_OVER`
 */
export async function lockLease(
  tx: Tx,
  asker: Asker,
  id: string,
  may: "holder" | "ender",
): Promise<LockedLease> {
  const uuid = parseId(idPrefixes.lease, id);
  const found = uuid && (await tx.lease.findFirst({ where: { id: uuid, projectId: asker.scope } }));
  if (!found) throw notFound("lease", id);
  const board = await lockBoard(tx, found.boardId);
  if (!board) throw notFound("lease", id);
  const [lease] = await tx.$queryRaw<{ isOpen: boolean; isActive: boolean }[]>`
    SELECT released_at IS NULL AND expires_at > now() AS "isOpen", starts_at <= now() AS "isActive"
    FROM lease WHERE id = ${found.id}::uuid FOR UPDATE`;
  if (found.userId !== asker.userId && !(may === "ender" && asker.mayEndOthers))
    throw fail("FORBIDDEN", `Somebody else has ${board.name}.`, {
      hint: "Its holder, or an admin of the project, can hand it back.",
    });
  if (!lease?.isOpen)
    throw fail("LEASE_OVER", `The lease of ${board.name} is over.`, {
      hint: "Lease the board again, or ask for a place in its waiting list.",
    });
  return { id: found.id, isActive: lease.isActive, board };
}

/**
 * Makes a lease longer, as long as nobody waits for the board or has booked it.
 *
 * @throws {AppError} As `lockLease`; `BOARD_TAKEN`; `VALIDATION` for more than a lease may have before it.
 */
export async function extendLease(
  asker: Asker,
  id: string,
  asked: number | undefined,
  limits: LeaseLimits,
): Promise<Lease> {
  const minutes = minutesOf(asked, limits);
  const uuid = await withTransaction(async (tx) => {
    const { id: leaseId, board } = await lockLease(tx, asker, id, "holder");
    const [lease] = await tx.$queryRaw<{ endsAt: Date; isLong: boolean }[]>`
      SELECT expires_at AS "endsAt", expires_at + make_interval(mins => ${minutes})
        > greatest(now(), starts_at) + make_interval(mins => ${limits.mostMinutes}) AS "isLong"
      FROM lease WHERE id = ${leaseId}::uuid`;
    if (!lease || lease.isLong)
      throw fail("VALIDATION", `A lease has ${limits.mostMinutes} minutes before it at most.`, {
        field: "minutes",
        hint: "Extend it by less, or again later.",
      });
    const after = { startsAt: lease.endsAt.toISOString(), minutes, but: leaseId };
    const taken = await whyLeased(tx, asker.scope, board, after);
    if (taken) throw taken;
    const waiting = await countWaiting(tx, board, asker);
    if (waiting > 0) throw queuedBefore(board, waiting);
    await tx.$executeRaw`
      UPDATE lease SET accept_by = NULL, expires_at = expires_at + make_interval(mins => ${minutes}) WHERE id = ${leaseId}::uuid`;
    await tell(tx, board);
    return leaseId;
  });
  return await readLease(asker, uuid);
}

/**
 * Hands a board back, or cancels a booking. What was loaded is unloaded.
 *
 * @throws {AppError} As `lockLease`.
 */
export async function releaseLease(asker: Asker, id: string): Promise<Lease> {
  const uuid = await withTransaction(async (tx) => {
    const lease = await lockLease(tx, asker, id, "ender");
    await endLease(tx, lease);
    return lease.id;
  });
  return await readLease(asker, uuid);
}

/** Ends a lease whose board is locked: its places are meant for nothing, which fences every load that is under way. */
export async function endLease(
  tx: Tx,
  { id, board }: { readonly id: string; readonly board: LockedBoard },
): Promise<void> {
  const [ended] = await tx.$queryRaw<
    { begun: boolean; projectId: string; person: string | null }[]
  >`
    UPDATE lease x SET released_at = least(now(), x.expires_at) WHERE x.id = ${id}::uuid AND x.released_at IS NULL
    RETURNING x.starts_at <= now() AS begun, x.project_id AS "projectId",
      (SELECT p.name FROM "user" p WHERE p.id = x.user_id) AS person`;
  if (!ended) return;
  await tx.$executeRaw`DELETE FROM lease_chunk WHERE lease_id = ${id}::uuid`;
  await tx.$executeRaw`
    DELETE FROM lease_call WHERE lease_id = ${id}::uuid AND ended_at IS NOT NULL`;
  // Whoever waits for an answer is told; what was asked is kept no longer.
  await tx.$executeRaw`
    UPDATE lease_call SET state = 'failed', request = '', ended_at = now(),
      problem = jsonb_build_object('reason', 'LEASE_OVER', 'message', ${`The lease of ${board.name} is over.`}::text)
    WHERE lease_id = ${id}::uuid AND ended_at IS NULL`;
  for (const { id: slotId, epoch, wantedId } of board.slots) {
    const isOwn =
      wantedId !== null && (await tx.leaseLoad.count({ where: { id: wantedId, leaseId: id } })) > 0;
    if (isOwn) await commandSlot(tx, slotId, epoch, null);
  }
  if (ended.begun) {
    const { projectId, person } = ended;
    await tx.boardHistory.create({
      data: {
        boardId: board.id,
        kind: "handed-back",
        detail: { projectId, ...(person === null ? {} : { person }) },
      },
    });
  }
  await tell(tx, board);
}
