import { toAppError } from "@/lib/common/errors";
import type { InferRequest, ParameterValue } from "@/lib/common/tensor";
import type { Life } from "../intake";
import type { Asked } from "../traffic";
import type { Caller } from "./access";
import { checkRequest } from "./check-request";
import type { Names } from "./choose-ready";
import { checkClassification, classify } from "./classify";
import type { Inference } from "./inference";
import { neverBegan } from "./model-errors";
import { requestJson } from "./request-json";
import { type Routing, reroute } from "./reroute";
import type { ServedRevision } from "./route-table";
import type { Service } from "./service";

/** Times that a request is handed to a revision, while none of its boards begins it. */
const mostTries = 3;

/** What an inference needs besides its request. */
export interface InferContext {
  readonly service: Routing & Pick<Service, "schedulers" | "traces">;
  /** The caller's `traceparent`, where it sent one. */
  readonly traceparent: string | undefined;
  /** The caller is gone or its time is up. */
  readonly life: Life;
  /** Whose pace it counts for; null: nobody's. */
  readonly caller: Pick<Caller, "who" | "pace"> | null;
  /** Where it is written down what becomes of it; null: nowhere. */
  readonly asked: Asked | null;
}

/** An inference with what answered it. */
export interface Answered extends Inference {
  readonly revision: ServedRevision;
}

/**
 * Answers one request: check it, let it wait its turn, shape the answer. Plain data in and out; knows tensors and models, no
 * protocol. The revision that was chosen for it answers, unless it leaves its boards before they begin: then the one that took
 * over, or the same one elsewhere.
 */
export async function infer(
  names: Names,
  revision: ServedRevision,
  request: InferRequest,
  context: InferContext,
): Promise<Answered> {
  const { traceparent, service } = context;
  const { traces } = service;
  if (!traces) return run(names, revision, request, context);
  const call = { model: names.model, requestId: request.id, traceparent };
  const startMs = epochMs();
  try {
    const answer = await run(names, revision, request, context);
    const { timing, revision: by } = answer;
    traces.record({
      ...call,
      version: by.version,
      startMs,
      endMs: epochMs(),
      timing,
      error: null,
    });
    return answer;
  } catch (thrown) {
    const error = toAppError(thrown);
    const { version } = revision;
    traces.record({ ...call, version, startMs, endMs: epochMs(), timing: null, error });
    throw thrown;
  }
}

const epochMs = (): number => performance.timeOrigin + performance.now();

async function run(
  names: Names,
  chosen: ServedRevision,
  request: InferRequest,
  context: InferContext,
): Promise<Answered> {
  const { service, asked, caller } = context;
  // Whoever asks too much by themselves takes nothing of what the others may ask.
  caller?.pace?.take();
  if (caller?.who != null) chosen.paceOfEach?.of(caller.who).take();
  chosen.pace?.take();
  const cameMs = performance.now();
  let revision = chosen;
  for (let tries = 1; ; tries++) {
    try {
      return await ask(names.model, revision, request, context);
    } catch (error) {
      if (!neverBegan(error)) throw error;
      const next = tries < mostTries ? await reroute(service, names, asked) : null;
      if (!next) {
        service.schedulers.of(names.model, revision).countFailed(cameMs);
        throw error;
      }
      revision = next;
    }
  }
}

async function ask(
  model: string,
  revision: ServedRevision,
  request: InferRequest,
  { service: { schedulers }, life, asked }: InferContext,
): Promise<Answered> {
  const inputs = checkRequest(model, revision, request);
  checkClassification(request, revision.outputs);
  const { id, parameters } = request;
  if (asked) {
    asked.rows = revision.maxBatchSize > 0 ? (inputs[0]?.shape[0] ?? 1) : 1;
    asked.requestId = id;
    if (asked.keepsPayloads) asked.body ??= requestJson(id, inputs);
  }
  const answer = await schedulers.of(model, revision).submit({
    id,
    inputs,
    priority: numberOf(parameters.get("priority")),
    // Microseconds on the wire; it bounds the time before execution begins.
    timeoutMs: numberOf(parameters.get("timeout")) / 1000,
    life,
  });
  if (asked) {
    asked.timing = answer.timing;
    asked.slotId = answer.slotId;
  }
  const { outputs, timing, slotId } = answer;
  return { outputs: classify(outputs, request, revision), timing, slotId, revision };
}

function numberOf(value: ParameterValue | undefined): number {
  const number = typeof value === "number" || typeof value === "bigint" ? Number(value) : 0;
  return Math.max(0, number);
}
