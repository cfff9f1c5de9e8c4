import { acceptLease, type HeldLease } from "@/domain/board-leases";
import { type AppError, fail, isReason } from "@/lib/common/errors";
import { Bell, database, uuidv7, withTransaction } from "@/lib/server/db";

/** What one lease may ask for: within a second, and at a time. */
const most = { perSecond: 20, open: 8 } as const;
/** A notification may get lost: it is looked again at least this often. */
const lookAgainMs = 1000;

interface Ended {
  readonly state: "waiting" | "succeeded" | "failed";
  readonly response: string | null;
  readonly problem: { readonly reason: string; readonly message: string } | null;
}

/** One thing to be asked of a board. */
export interface Question {
  readonly kind: "line" | "infer";
  readonly request: string;
  /** How long its answer is waited for. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks a board what the holder of its lease wants of it, and waits for the answer.
 *
 * @returns What the board server answered, if anything.
 * @throws {AppError} `STATE_CONFLICT` where nothing is loaded; `BOARD_OFFLINE`; `RATE_LIMITED`; `LEASE_OVER` when it ended meanwhile;
 *   `DEADLINE_EXCEEDED`; what the board server refused it with.
 */
export async function callBoard(
  { id: leaseId, boardName, slot, isSilent }: HeldLease,
  { kind, request, patienceMs, signal }: Question,
): Promise<string | null> {
  if (isSilent)
    throw fail(
      "BOARD_OFFLINE",
      `The board server of ${boardName} has not been heard for a while.`,
      {
        hint: "See on its host whether it runs and reaches the portal.",
      },
    );
  if (!slot)
    throw fail("STATE_CONFLICT", `Nothing that you loaded answers on ${boardName}.`, {
      hint: "Load firmware of the project first.",
    });
  const id = uuidv7();
  const bell = new Bell(["lease_call"], { hears: (payload) => payload === id });
  try {
    await withTransaction(async (tx) => {
      // Those of one lease are counted one after the other.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('lease_call'), hashtext(${leaseId}))`;
      const [{ lately, open } = { lately: 0, open: 0 }] = await tx.$queryRaw<
        { lately: number; open: number }[]
      >`
        SELECT count(*) FILTER (WHERE created_at > clock_timestamp() - interval '1 second')::int AS lately,
          count(*) FILTER (WHERE ended_at IS NULL)::int AS open
        FROM lease_call WHERE lease_id = ${leaseId}::uuid AND created_at > clock_timestamp() - interval '1 minute'`;
      if (lately >= most.perSecond || open >= most.open)
        throw fail("RATE_LIMITED", `${boardName} is asked too much at once.`, {
          hint: `A lease may ask ${most.perSecond} times a second, and have ${most.open} questions under way.`,
        });
      // What was answered was read; what nobody answered has nobody that waits.
      await tx.$executeRaw`
        DELETE FROM lease_call WHERE lease_id = ${leaseId}::uuid
          AND (ended_at < now() - interval '10 seconds' OR created_at < now() - interval '1 minute')`;
      await acceptLease(tx, leaseId);
      await tx.$executeRaw`
        INSERT INTO lease_call (id, lease_id, slot_id, slot_epoch, kind, request)
        VALUES (${id}::uuid, ${leaseId}::uuid, ${slot.id}::uuid, ${slot.epoch}, ${kind}, ${request})`;
    });
    return await awaitEnd(id, { bell, patienceMs, signal, boardName });
  } finally {
    await bell.close();
  }
}

async function awaitEnd(
  id: string,
  {
    bell,
    patienceMs,
    signal,
    boardName,
  }: Pick<Question, "patienceMs" | "signal"> & { bell: Bell; boardName: string },
): Promise<string | null> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const [call] = await database().$queryRaw<Ended[]>`
      SELECT state, response, problem FROM lease_call WHERE id = ${id}::uuid`;
    if (!call) throw fail("LEASE_OVER", `The lease of ${boardName} is over.`);
    if (call.state === "succeeded") return call.response;
    if (call.problem) throw toError(call.problem);
    const leftMs = end - performance.now();
    if (leftMs <= 0 || signal.aborted) break;
    await bell.wait(Math.min(leftMs, lookAgainMs), signal);
  }
  // A board server that comes back later does not do it then.
  await database().$executeRaw`
    UPDATE lease_call SET state = 'failed', ended_at = now() WHERE id = ${id}::uuid AND ended_at IS NULL`;
  throw fail(
    "DEADLINE_EXCEEDED",
    `${boardName} did not answer within ${Math.round(patienceMs / 1000)} s.`,
    { hint: "Whether it took what was sent is not known. See whether its board server runs." },
  );
}

function toError({ reason, message }: NonNullable<Ended["problem"]>): AppError {
  // Of a board server of another version, or a fault of its own.
  if (!isReason(reason) || reason === "INTERNAL") return fail("DEVICE_FAILED", message);
  if (reason === "REVISION_MISMATCH" || reason === "SLOT_EPOCH_STALE")
    return fail("STATE_CONFLICT", "What was loaded is not there any more.", {
      hint: "Look at what the board holds now.",
    });
  return fail(reason, message);
}
