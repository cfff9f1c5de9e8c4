import type { ElementwiseProgram } from "@/lib/common/elementwise";
import type { TensorSpec } from "@/lib/common/tensor";
import { isElementwiseNode } from "../graph/elementwise-node";
import type { Graph, GraphNode } from "../graph/graph";
import { refuseModel } from "../graph/refuse";
import { refuseForm, refuseUnknown } from "../graph/refuse-graph";
import { requireFiniteWeights } from "../graph/require-numbers";
import type { DenseLayer, DenseNetwork, NetworkOutput } from "../model/dense-network";
import { foldSteps } from "./fold-steps";
import { type Head, isHeadOperator, plainHead } from "./heads";
import { translatorOf } from "./operators";
import { walk } from "./walk";

/**
 * Turns a float graph into dense layers in a row.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` naming operator and node, `MODEL_UNSUPPORTED` for several inputs,
 * `MODEL_VERSION_UNSUPPORTED` for operator sets outside 9..21.
 */
export function legalise(graph: Graph): DenseNetwork {
  const input = settleGraph(graph);
  const { steps, heads } = walk(graph, input.name, input.shape);
  const { layers, before, after } = foldSteps(steps);
  requireFiniteWeights(layers);
  const outputs = graph.outputs.map((spec, index) => outputOf(spec, heads[index], after));
  const [output, ...more] = outputs;
  if (!output) throw new RangeError("There is an output.");
  return {
    input,
    outputs: [output, ...more],
    layers: heads.some(({ kind }) => kind === "pair") ? asPair(layers, heads) : layers,
    scaling: before && scalingOf(before),
  };
}

/**
 * Looks at everything that can be said of a graph before it is walked.
 *
 * @returns Its one input.
 * @throws {AppError} as `legalise`.
 */
export function settleGraph(graph: Graph): TensorSpec {
  refuseUnknown(graph.nodes, isKnown);
  const [input, ...otherInputs] = graph.inputs;
  if (!input || graph.outputs.length === 0 || otherInputs.length > 0) {
    throw refuseModel(
      `The model has ${graph.inputs.length} inputs and ${graph.outputs.length} outputs; FPGA boards take one input.`,
    );
  }
  refuseForm(graph, input);
  return input;
}

function outputOf(
  spec: TensorSpec,
  head: Head | undefined,
  elementwise: ElementwiseProgram,
): NetworkOutput {
  const { activation, classes } = head ?? plainHead("none");
  return {
    spec,
    activation,
    ...(elementwise.length > 0 ? { elementwise } : {}),
    ...(classes ? { classes } : {}),
  };
}

/** `[1 − sigmoid(s), sigmoid(s)]` is the softmax of `[0, s]`: one more output, of weights 0, in front. */
function asPair(layers: readonly DenseLayer[], heads: readonly Head[]): DenseLayer[] {
  const last = layers.at(-1);
  if (last?.outputSize !== 1 || heads.some(({ kind }) => kind !== "pair")) {
    throw refuseModel("The model answers a score and its two probabilities; FPGA boards take one.");
  }
  const { inputSize, weights, bias } = last;
  const pair = {
    ...last,
    outputSize: 2,
    weights: Float64Array.of(...new Float64Array(inputSize), ...weights),
    bias: Float64Array.of(0, ...bias),
  };
  return [...layers.slice(0, -1), pair];
}

/** `f x + g` as `(x − mean) / deviation`; features that the model ignores stay as they are. */
function scalingOf({
  factor,
  offset,
}: {
  readonly factor: Float64Array;
  readonly offset: Float64Array;
}): DenseNetwork["scaling"] {
  return {
    mean: Array.from(factor, (value, index) => (value === 0 ? 0 : -(offset[index] ?? 0) / value)),
    deviation: Array.from(factor, (value) => (value === 0 ? 1 : 1 / Math.abs(value))),
  };
}

function isKnown(node: GraphNode): boolean {
  const isHead = node.domain !== "com.microsoft" && isHeadOperator(node.operator);
  return isHead || translatorOf(node) !== undefined || isElementwiseNode(node);
}
