import { toAppError } from "@/lib/common/errors";
import type { InferRequest, ParameterValue } from "@/lib/common/tensor";
import type { Life } from "../intake";
import type { Asked } from "../traffic";
import type { Caller } from "./access";
import { checkRequest } from "./check-request";
import { checkClassification, classify } from "./classify";
import type { Inference } from "./inference";
import { requestJson } from "./request-json";
import type { ServedRevision } from "./route-table";
import type { Schedulers } from "./schedulers";
import type { Traces } from "./traces";

/** What an inference needs besides its request. */
export interface InferContext {
  readonly schedulers: Schedulers;
  readonly traces: Traces | null;
  /** The caller's `traceparent`, where it sent one. */
  readonly traceparent: string | undefined;
  /** The caller is gone or its time is up. */
  readonly life: Life;
  /** Whose pace it counts for; null: nobody's. */
  readonly caller: Pick<Caller, "who" | "pace"> | null;
  /** Where it is written down what becomes of it; null: nowhere. */
  readonly asked: Asked | null;
}

/**
 * Answers one request from one revision: check it, let it wait its turn, shape the answer. Plain data in and out; knows
 * tensors and models, no protocol.
 */
export async function infer(
  model: string,
  revision: ServedRevision,
  request: InferRequest,
  context: InferContext,
): Promise<Inference> {
  const { traces, traceparent } = context;
  if (!traces) return run(model, revision, request, context);
  const call = { model, version: revision.version, requestId: request.id, traceparent };
  const startMs = epochMs();
  try {
    const answer = await run(model, revision, request, context);
    traces.record({ ...call, startMs, endMs: epochMs(), timing: answer.timing, error: null });
    return answer;
  } catch (thrown) {
    const error = toAppError(thrown);
    traces.record({ ...call, startMs, endMs: epochMs(), timing: null, error });
    throw thrown;
  }
}

const epochMs = (): number => performance.timeOrigin + performance.now();

async function run(
  model: string,
  revision: ServedRevision,
  request: InferRequest,
  { schedulers, life, asked, caller }: InferContext,
): Promise<Inference> {
  // Whoever asks too much by themselves takes nothing of what the others may ask.
  caller?.pace?.take();
  if (caller?.who != null) revision.paceOfEach?.of(caller.who).take();
  revision.pace?.take();
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
  return { outputs: classify(outputs, request, revision), timing, slotId };
}

function numberOf(value: ParameterValue | undefined): number {
  const number = typeof value === "number" || typeof value === "bigint" ? Number(value) : 0;
  return Math.max(0, number);
}
