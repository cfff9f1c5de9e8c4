import { fail } from "@/lib/common/errors";
import type { TensorSpec } from "@/lib/common/tensor";
import type { Graph, GraphNode } from "./graph/graph";
import { perGraph } from "./graph/per-graph";
import { type DenseFloats, lowerDense, readDense } from "./lower/dense";
import type { Lowered, LowerRequest } from "./lower/lowered";
import { lowerMaps } from "./lower/maps";
import { lowerQuantized } from "./lower/quantized";
import { lowerTrees } from "./lower/trees";
import { hasQuantizers } from "./model/quantizer";
import { foldConstants } from "./passes/fold-constants";
import { denseNetwork, mapModel, readGraph } from "./reader";
import { hasTrees } from "./reader/trees";

/** One way from a float graph to integers. */
interface Flow {
  takes(graph: Graph): boolean;
  read(graph: Graph): readonly { readonly spec: TensorSpec; readonly activation: string }[];
  lower(request: LowerRequest): Lowered;
  readonly ownBits: string | null;
  saysRange(graph: Graph): boolean;
}

const trees: Flow = {
  takes: hasTrees,
  read: (graph) => lowerTrees(graph).model.outputs,
  lower: ({ graph }) => lowerTrees(graph),
  ownBits: "Trees have no bits to save: they decide exactly.",
  saysRange: () => true,
};

const quantized: Flow = {
  takes: hasQuantizers,
  read: (graph) => lowerQuantized(graph).outputs,
  lower: ({ graph, calibration }) => lowerQuantized(graph, calibration),
  ownBits: "The model says how many bits its numbers have.",
  saysRange: () => true,
};

const dense: Flow = {
  takes: (graph) => readGraph(graph).steps !== null,
  read: (graph) => denseNetwork(graph).outputs,
  lower: lowerDense,
  ownBits: null,
  saysRange: (graph) => denseNetwork(graph).scaling !== null,
};

const maps: Flow = {
  takes: () => true,
  read: (graph) => mapModel(graph).outputs,
  lower: lowerMaps,
  ownBits: null,
  saysRange: () => false,
};

/** The first that takes a graph has it. Nothing else asks what a graph is made of. */
const flows: readonly Flow[] = [trees, quantized, dense, maps];

const flowOf = (graph: Graph): Flow => flows.find((each) => each.takes(graph)) ?? maps;

/** A graph with what depends on constants alone computed, and its flow: a plan asks four questions of each. */
const settle = perGraph((given) => {
  const graph = foldConstants(given);
  return { graph, flow: flowOf(graph) };
});

/**
 * The outputs of a graph that can be built, with what is made of the scores.
 *
 * @throws {AppError} what is refused of it on any board.
 */
export function readOutputs(given: Graph): ReturnType<Flow["read"]> {
  const { graph, flow } = settle(given);
  return flow.read(graph);
}

/**
 * Whether a model says itself which values its inputs take: by the thresholds of its trees, its own grids or its scaling.
 *
 * @throws {AppError} as `readOutputs`.
 */
export function saysOwnRange(given: Graph): boolean {
  const { graph, flow } = settle(given);
  return flow.saysRange(graph);
}

/** Why nobody chooses the bits of a model's numbers; null where a person does. */
export const ownBitsOf = (graph: Graph): string | null =>
  [trees, quantized].find((each) => each.takes(graph))?.ownBits ?? null;

/**
 * Brings a float graph down to the integer graph that hardware runs. A quantised one keeps its own bits and scales.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED`, `MODEL_UNSUPPORTED`, `CARD_INVALID`, `OPTION_INVALID`, `QUANTIZER_INVALID`, …
 */
export function lower(request: LowerRequest): Lowered {
  const { graph, flow } = settle(request.graph);
  return flow.lower({ ...request, graph });
}

/**
 * A graph of dense layers in floats; see `readDense`.
 *
 * @throws {AppError} `MODEL_UNSUPPORTED` for any other graph; `CARD_INVALID`, and what is refused on any FPGA board.
 */
export function denseFloats(
  request: Omit<LowerRequest, "precision">,
  isScaled?: boolean,
): DenseFloats {
  const { graph, flow } = settle(request.graph);
  if (flow === dense) return readDense({ ...request, graph }, isScaled);
  // What no flow takes is refused by its name first.
  flow.read(graph);
  const other = graph.nodes.find(({ operator }) => !denseOperators.has(operator));
  const inner = graph.nodes.find((node) => isInner(graph, node));
  const why = other
    ? `: node ${other.name} is a ${other.operator}`
    : inner
      ? `: node ${inner.name} is a ${inner.operator} between layers`
      : "";
  throw fail("MODEL_UNSUPPORTED", `The model is no row of dense layers${why}.`, {
    hint: "The boardwalk engine takes more kinds of models.",
  });
}

/** Whether a node makes probabilities that others weigh. */
const isInner = ({ nodes }: Graph, { operator, outputs }: GraphNode): boolean =>
  ["Softmax", "Sigmoid"].includes(operator) &&
  nodes.some((each) => each.inputs.some((name) => outputs.includes(name)));

/** Operators that rows of dense layers are made of. */
const denseOperators: ReadonlySet<string> = new Set(
  "Gemm MatMul Add Sub Mul Div Relu Softmax Sigmoid Identity Flatten Reshape Transpose Cast".split(
    " ",
  ),
);
