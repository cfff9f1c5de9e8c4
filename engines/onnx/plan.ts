import { fromErrorData } from "@/lib/common/errors";
import { ioOf, maxBatchSizeOf } from "../cpu-io";
import type { Plan, PlanRequest } from "../engine";
import { sealPlan } from "../seal-plan";
import { accepts, supports } from "./constraints";

const modelPath = "model.onnx";

/**
 * Plans nothing to be run: the artifact is the model file itself.
 *
 * @throws {AppError} `FORMAT_HAS_NO_ENGINE`, `COMBINATION_UNSUPPORTED`.
 */
export function plan(request: PlanRequest): Plan {
  const { model, card, board, boardKind } = request;
  for (const verdict of [accepts(model), supports(board, boardKind)]) {
    if (!verdict.ok) throw fromErrorData(verdict.problem);
  }
  if (!model.graph) throw new RangeError("An accepted model has a graph.");
  return sealPlan(
    {
      schemaVersion: 1,
      engine: "onnx",
      boardModel: board.id,
      kind: "model",
      platform: "onnx_onnxv1",
      io: ioOf(model.graph, card),
      maxBatchSize: maxBatchSizeOf(model.graph),
      core: undefined,
      files: new Map([[modelPath, model.bytes]]),
      steps: [],
      variants: [],
      products: [{ role: "model", path: modelPath }],
      reference: null,
      taps: [],
      vectors: [],
      forecast: { resources: [], notes: ["The CPU runs the model as it is, in floating point."] },
    },
    request,
  );
}
