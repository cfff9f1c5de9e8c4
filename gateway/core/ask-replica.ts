import { type AppError, fail, isAppError } from "@/lib/common/errors";
import { fault } from "@/lib/server/process";
import { type BoardLink, type LinkAnswer, type LinkCall, LinkError } from "./board-link";
import { pickReplica, type Replica } from "./replicas";

/** A slot that could not be reached, or does not hold the revision (yet, after a restart), is not asked for so long. */
const restMs = 1000;

/** What was answered, and from which slot. */
export interface ReplicaAnswer {
  readonly answer: LinkAnswer;
  readonly slotId: string;
}

/**
 * Asks a replica, and another one, once, where the first cannot have begun. What was sent to a board is sent: it is never
 * asked of another one.
 *
 * @throws {AppError} `UPSTREAM_RESET`, `UPSTREAM_MISMATCH`, `MODEL_NOT_READY`, or what the board refused with.
 */
export async function askReplica(
  first: Replica,
  others: readonly Replica[],
  call: Omit<LinkCall, "replica">,
  link: BoardLink,
): Promise<ReplicaAnswer> {
  try {
    return await ask(first, call, link);
  } catch (error) {
    if (!neverBegan(error) || call.life.ended) throw toCaller(error);
    const second = pickReplica(others, performance.now(), { except: first });
    if (!second) throw toCaller(error);
    return await ask(second, call, link).catch((again: unknown) => {
      throw toCaller(again);
    });
  }
}

async function ask(
  replica: Replica,
  { revisionId, id, requests, waitMs, life }: Omit<LinkCall, "replica">,
  link: BoardLink,
): Promise<ReplicaAnswer> {
  replica.outstanding++;
  try {
    fault("gateway.in-infer");
    const answer = await link.infer({ replica, revisionId, id, requests, waitMs, life });
    if (answer.revisionId !== revisionId) {
      // A slot that lies is not asked again before it was loaded anew: then it has another epoch.
      replica.withdrawnUntilMs = Number.POSITIVE_INFINITY;
      throw fail("UPSTREAM_MISMATCH", "the board answered from another revision");
    }
    replica.isMisplaced = false;
    return { answer, slotId: replica.slotId };
  } catch (error) {
    replica.isMisplaced = isMisplaced(error);
    if (error instanceof LinkError || replica.isMisplaced) {
      replica.withdrawnUntilMs = Math.max(replica.withdrawnUntilMs, performance.now() + restMs);
    }
    throw error;
  } finally {
    replica.outstanding--;
  }
}

/** The board refused since it holds another revision: the route is changing, nothing ran. */
function isMisplaced(error: unknown): error is AppError {
  return (
    isAppError(error) &&
    (error.reason === "REVISION_MISMATCH" || error.reason === "SLOT_EPOCH_STALE")
  );
}

function neverBegan(error: unknown): boolean {
  return (error instanceof LinkError && !error.sent) || isMisplaced(error);
}

function toCaller(error: unknown): unknown {
  if (error instanceof LinkError) {
    return fail("UPSTREAM_RESET", "the board that serves the model went away", { cause: error });
  }
  if (isMisplaced(error)) {
    return fail("MODEL_NOT_READY", "the model is being moved to another board", { cause: error });
  }
  return error;
}
