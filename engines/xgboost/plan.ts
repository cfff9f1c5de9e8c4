import { exportOnnx } from "@/compiler";
import { fromErrorData } from "@/lib/common/errors";
import { ioOf, maxBatchSizeOf } from "../cpu-io";
import type { Plan, PlanRequest } from "../engine";
import { sealPlan } from "../seal-plan";
import { accepts, supports } from "./constraints";

const modelPath = "model.onnx";

/**
 * Plans nothing to be run: the trees were read already, and are written as ONNX once, here.
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
      engine: "xgboost",
      boardModel: board.id,
      kind: "model",
      platform: "onnx_onnxv1",
      io: ioOf(model.graph, card),
      maxBatchSize: maxBatchSizeOf(model.graph),
      core: undefined,
      files: new Map([[modelPath, exportOnnx(model.graph)]]),
      steps: [],
      variants: [],
      products: [{ role: "model", path: modelPath }],
      reference: null,
      taps: [],
      vectors: [],
      forecast: {
        resources: [],
        notes: [
          "The trees are written as an ONNX tree ensemble, which the CPU runs in floating point.",
        ],
      },
    },
    request,
  );
}
