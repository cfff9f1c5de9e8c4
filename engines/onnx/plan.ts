import type { Graph } from "@/compiler";
import type { ArtifactIo, ModelCard } from "@/lib/common/contract";
import { fromErrorData } from "@/lib/common/errors";
import type { TensorSpec } from "@/lib/common/tensor";
import type { Plan, PlanRequest } from "../engine";
import { sealPlan } from "../seal-plan";
import { accepts, supports } from "./constraints";

const modelPath = "model.onnx";
/** Rows that one call of the runtime takes together where the model leaves its batch free. */
const maxBatchSize = 64;

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
      maxBatchSize: isBatched(model.graph) ? maxBatchSize : 0,
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

/** The model's own tensors, untouched: the runtime does all arithmetic. */
function ioOf(graph: Graph, card: ModelCard | null): ArtifactIo {
  const spec = ({ name, datatype, shape }: TensorSpec) => ({
    name,
    datatype,
    shape: [...shape],
    size: rowSize(graph, shape),
  });
  return {
    inputs: graph.inputs.map(spec),
    outputs: graph.outputs.map((output) => {
      const { classes } = card ?? {};
      const labelled = classes && output.shape.at(-1) === classes.length;
      return {
        ...spec(output),
        activation: "none" as const,
        ...(labelled ? { labels: [...classes] } : {}),
      };
    }),
  };
}

function isBatched({ inputs, outputs }: Graph): boolean {
  return [...inputs, ...outputs].every(({ shape }) => shape[0] === -1);
}

/** Elements of a row: without the batch dimension, if there is one; other free dimensions count once. */
function rowSize(graph: Graph, shape: readonly number[]): number {
  const row = isBatched(graph) ? shape.slice(1) : shape;
  return Math.max(
    1,
    row.reduce((product, size) => product * Math.max(1, size), 1),
  );
}
