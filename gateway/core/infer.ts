import type { Timing } from "@/lib/common/contract";
import { type AppError, fail, isAppError } from "@/lib/common/errors";
import type { InferRequest, Tensor } from "@/lib/common/tensor";
import { fault } from "@/lib/server/process";
import { checkRequest } from "./check-request";
import { notReady } from "./model-errors";
import { pickReplica, type Replica } from "./replicas";
import type { ServedRevision } from "./route-table";

/** No request lives longer in this gateway. */
export const longestMs = 60_000;
/** Unanswered requests of ours at one slot; more are refused. */
const maxOutstanding = 68;
/** A slot that could not be reached, or does not hold the revision (yet, after a restart), is not asked for so long. */
const restMs = 1000;

/** Carries one request to a board server. Wire formats and connections are the transport's matter. */
export interface BoardLink {
  /** @throws {LinkError} */
  infer(call: LinkCall): Promise<LinkAnswer>;
  close(): Promise<void>;
}

export interface LinkCall {
  readonly replica: Replica;
  readonly revisionId: string;
  readonly id: string;
  readonly inputs: readonly Tensor[];
  /** How long it may wait at the board before it begins. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

export interface LinkAnswer {
  /** The revision that says it answered. */
  readonly revisionId: string | null;
  readonly outputs: readonly Tensor[];
  readonly timing: Timing;
  /** From sending to the whole answer. */
  readonly totalNs: number;
}

/** What went wrong on the way: `sent` tells whether a board may have seen the request. */
export class LinkError extends Error {
  override readonly name = "LinkError";
  readonly sent: boolean;

  constructor(sent: boolean, cause: unknown) {
    super("the board server did not answer", { cause });
    this.sent = sent;
  }
}

export interface InferContext {
  readonly link: BoardLink;
  /** The caller is gone or its time is up. */
  readonly signal: AbortSignal;
}

export interface Inference {
  readonly outputs: readonly Tensor[];
  readonly timing: Timing;
}

/**
 * Answers one request from one revision: check, pick the least busy replica, ask it. Plain data in and out; knows
 * tensors and models, no protocol.
 */
export async function infer(
  model: string,
  revision: ServedRevision,
  request: InferRequest,
  { link, signal }: InferContext,
): Promise<Inference> {
  const inputs = checkRequest(model, revision, request);
  const waitMs = Math.min(longestMs, queueLimitMs(request));
  const call = { revisionId: revision.id, id: request.id, inputs, waitMs, signal };
  const first = pick(model, revision);
  try {
    return await ask(first, call, link);
  } catch (error) {
    // Sent once to a board is sent: only what no board can have begun goes to another one, once.
    if (!neverBegan(error) || signal.aborted) throw toCaller(error);
    const second = pickReplica(revision.replicas, performance.now(), first);
    if (!second) throw toCaller(error);
    return await ask(second, call, link).catch((again: unknown) => {
      throw toCaller(again);
    });
  }
}

function pick(model: string, { replicas }: ServedRevision): Replica {
  const replica = pickReplica(replicas, performance.now());
  if (!replica) throw notReady(model, "no board that serves it can be reached");
  if (replica.outstanding >= maxOutstanding) {
    throw fail("QUEUE_FULL", `Exceeds maximum queue size of model '${model}'`);
  }
  return replica;
}

async function ask(
  replica: Replica,
  call: Omit<LinkCall, "replica">,
  link: BoardLink,
): Promise<Inference> {
  replica.outstanding++;
  try {
    fault("gateway.in-infer");
    const { revisionId, outputs, timing, totalNs } = await link.infer({ ...call, replica });
    if (revisionId !== call.revisionId) {
      // A slot that lies is not asked again before it was loaded anew: then it has another epoch.
      replica.withdrawnUntilMs = Number.POSITIVE_INFINITY;
      throw fail("UPSTREAM_MISMATCH", "the board answered from another revision");
    }
    const { boardQueueNs = 0, hostNs = 0, computeNs = 0 } = timing;
    const linkNs = Math.max(0, Math.round(totalNs - boardQueueNs - hostNs - computeNs));
    return { outputs, timing: { ...timing, linkNs } };
  } catch (error) {
    if (error instanceof LinkError || isMisplaced(error)) {
      replica.withdrawnUntilMs = performance.now() + restMs;
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

/** `timeout` in microseconds bounds the time before execution begins. */
function queueLimitMs({ parameters }: InferRequest): number {
  const timeout = parameters.get("timeout");
  const micros = typeof timeout === "number" || typeof timeout === "bigint" ? Number(timeout) : 0;
  return micros > 0 ? Math.max(1, Math.round(micros / 1000)) : longestMs;
}
