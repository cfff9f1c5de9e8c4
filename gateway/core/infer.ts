import type { InferRequest, ParameterValue } from "@/lib/common/tensor";
import { checkRequest } from "./check-request";
import { checkClassification, classify } from "./classify";
import type { Inference } from "./inference";
import type { Life } from "./life";
import type { ServedRevision } from "./route-table";
import type { Schedulers } from "./schedulers";

export interface InferContext {
  readonly schedulers: Schedulers;
  /** The caller is gone or its time is up. */
  readonly life: Life;
}

/**
 * Answers one request from one revision: check it, let it wait its turn, shape the answer. Plain data in and out; knows
 * tensors and models, no protocol.
 */
export async function infer(
  model: string,
  revision: ServedRevision,
  request: InferRequest,
  { schedulers, life }: InferContext,
): Promise<Inference> {
  const inputs = checkRequest(model, revision, request);
  checkClassification(request, revision.outputs);
  const { id, parameters } = request;
  const answer = await schedulers.of(model, revision).submit({
    id,
    inputs,
    priority: numberOf(parameters.get("priority")),
    // Microseconds on the wire; it bounds the time before execution begins.
    timeoutMs: numberOf(parameters.get("timeout")) / 1000,
    life,
  });
  return { ...answer, outputs: classify(answer.outputs, request, revision) };
}

function numberOf(value: ParameterValue | undefined): number {
  const number = typeof value === "number" || typeof value === "bigint" ? Number(value) : 0;
  return Math.max(0, number);
}
