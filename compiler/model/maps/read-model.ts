import type { TensorSpec } from "@/lib/common/tensor";
import type { Graph, GraphNode } from "../../graph/graph";
import { neededNodes } from "../../graph/needed-nodes";
import { refuse, refuseModel } from "../../graph/refuse";
import { refuseForm, refuseUnknown } from "../../graph/refuse-graph";
import { requireFiniteWeights } from "../../graph/require-numbers";
import type { NetworkOutput } from "../dense-network";
import { append, type Chain, mapOf, type NodeView, numberOf } from "./chain";
import { type MapModel, pixelWindow, plainView } from "./layers";
import { mergePads } from "./merge-pads";
import { concat } from "./read-concat";
import { arithmetic, batchNormalization, relu } from "./read-elementwise";
import { averagePool, convolution, dense, maxPool, reduceMean } from "./read-layers";
import { shapeReaders } from "./read-shapes";
import { computeShape, type ShapeValues } from "./shapes";
import { simplify } from "./simplify";
import { productOf, type Value } from "./value";

const readers: Readonly<Record<string, (view: NodeView) => Value>> = {
  Conv: convolution,
  MaxPool: maxPool,
  GlobalMaxPool: maxPool,
  AveragePool: averagePool,
  GlobalAveragePool: averagePool,
  ReduceMean: reduceMean,
  BatchNormalization: batchNormalization,
  Gemm: dense,
  MatMul: dense,
  Concat: concat,
  Relu: relu,
  Add: arithmetic,
  Sub: arithmetic,
  Mul: arithmetic,
  Div: arithmetic,
};

type Activation = NetworkOutput["activation"];

/** What the host does with the last scores. */
const activations: Readonly<Record<string, Activation>> = {
  Softmax: "softmax",
  Sigmoid: "sigmoid",
  ArgMax: "argmax",
};
/** They only work on shapes. */
const ofShapes: ReadonlySet<string> = new Set(["Shape", "Gather", "Slice"]);

const isOfMaps = /^(Conv|MaxPool|AveragePool|Global(Max|Average)Pool)$/;

/** Whether a graph works on feature maps. */
export function hasMaps(graph: Graph): boolean {
  return graph.nodes.some(({ domain, operator }) => domain === "" && isOfMaps.test(operator));
}

/**
 * Reads a graph of convolutions, pooling and dense layers.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` naming operator and node, `MODEL_UNSUPPORTED`, `MODEL_VERSION_UNSUPPORTED`.
 */
export function readMapModel(graph: Graph): MapModel {
  const [input, ...otherInputs] = graph.inputs;
  if (!input || graph.outputs.length === 0 || otherInputs.length > 0) {
    throw refuseModel(
      `The model has ${graph.inputs.length} inputs and ${graph.outputs.length} outputs; FPGA boards take one input.`,
    );
  }
  refuseForm(graph, input);
  const nodes = mergePads(neededNodes(graph), graph);
  refuseUnknown(nodes, isKnown);
  const { chain, outputs, last } = walk(graph, nodes, input);
  const layers = simplify(answering(chain, last));
  requireFiniteWeights(layers.filter((layer) => layer.kind === "convolution"));
  const isScaled = (factor: number, at: number) =>
    factor !== 0 && Number.isFinite(factor) && Number.isFinite(chain.inputOffset[at]);
  if (!chain.inputFactor.every(isScaled)) {
    throw refuseModel(
      "The model multiplies inputs by 0, or by no finite number, before its first layer.",
    );
  }
  return {
    input,
    outputs,
    inputSize: chain.inputSize,
    inputScale: { factor: chain.inputFactor, offset: chain.inputOffset },
    layers,
  };
}

function isKnown({ domain, operator }: GraphNode): boolean {
  if (ofShapes.has(operator)) return true;
  const tables = [readers, activations, shapeReaders];
  return domain === "" && tables.some((each) => Object.hasOwn(each, operator));
}

function walk(
  graph: Graph,
  nodes: readonly GraphNode[],
  input: TensorSpec,
): { chain: Chain; outputs: MapModel["outputs"]; last: Value } {
  const shape = input.shape.slice(1);
  const inputSize = productOf(shape);
  const order = Int32Array.from({ length: inputSize }, (_, at) => at);
  const chain: Chain = {
    graph,
    inputSize,
    layers: [],
    values: new Map([[input.name, { layer: -1, shape, order, version: 0 }]]),
    inputFactor: new Float64Array(inputSize).fill(1),
    inputOffset: new Float64Array(inputSize),
    inputVersion: 0,
  };
  const shapes: ShapeValues = new Map();
  const batch = input.shape[0] ?? -1;
  const shapeOf = (name: string) => {
    const value = chain.values.get(name);
    return value ? [batch, ...value.shape] : null;
  };
  /** What the host has made of a value, by its name. */
  const made = new Map<string, Activation>();
  for (const node of nodes) {
    if (computeShape(node, graph, shapes, shapeOf)) continue;
    const view = viewOfNode(node, chain);
    const [name = ""] = node.outputs;
    const host = activations[node.operator];
    const before = node.inputs.map((each) => made.get(each)).find((each) => each !== undefined);
    if (host) {
      checkLast(node, view.value(0), graph.opset);
      if (before && host !== "argmax") throw refuse(node, `comes after ${before}`);
      made.set(name, host);
      chain.values.set(name, view.value(0));
    } else if (before && node.operator === "Cast") {
      made.set(name, before);
      chain.values.set(name, view.value(0));
    } else if (before) {
      throw refuse(node, `comes after the model's ${before}`);
    } else {
      const asShape = shapeReaders[node.operator];
      const list = () => {
        const second = node.inputs[1] ?? "";
        const constant = graph.constants.get(second);
        return shapes.get(second) ?? (constant ? Array.from(constant.values) : null);
      };
      const read = readers[node.operator];
      if (asShape) chain.values.set(name, asShape(node, view.value(0), list()));
      else if (read) chain.values.set(name, read(view));
      else throw refuse(node);
    }
  }
  const [output, ...more] = graph.outputs.map((spec): NetworkOutput => {
    return { spec, activation: made.get(spec.name) ?? "none" };
  });
  if (!output) throw new RangeError("A graph has outputs.");
  return { chain, outputs: [output, ...more], last: scoresOf(graph.outputs, chain) };
}

/** The one value that all outputs are made of. */
function scoresOf(outputs: Graph["outputs"], { values }: Chain): Value {
  const [last, ...others] = outputs.map(({ name }) => {
    const value = values.get(name);
    if (!value) throw refuseModel(`Output "${name}" is not the end of the layers.`);
    return value;
  });
  if (!last) throw new RangeError("A graph has outputs.");
  const isSame = ({ layer, order }: Value) =>
    layer === last.layer && order.every((place, at) => place === last.order[at]);
  if (others.every(isSame)) return last;
  throw refuseModel(
    "The model answers values of several layers; FPGA boards take outputs that are made of the same scores.",
  );
}

function viewOfNode(node: GraphNode, chain: Chain): NodeView {
  return {
    node,
    chain,
    value: (index) => {
      const found = chain.values.get(node.inputs[index] ?? "");
      if (!found) throw refuse(node, "works on constants or shapes where FPGA boards need values");
      if (found.layer < 0 && found.version !== chain.inputVersion) {
        throw refuse(node, "reads the input beside another node that scales it");
      }
      return found;
    },
    constant: (index) => chain.graph.constants.get(node.inputs[index] ?? "") ?? null,
  };
}

function checkLast(node: GraphNode, { shape }: Value, opset: number): void {
  if (node.operator === "Sigmoid") return;
  const axis = numberOf(node, "axis", node.operator === "ArgMax" ? 0 : opset < 13 ? 1 : -1);
  if (shape.length !== 1 || (axis !== 1 && axis !== -1)) {
    throw refuse(node, `over axis ${axis} of [batch, ${shape.join(", ")}]`);
  }
  if (numberOf(node, "select_last_index", 0) === 1) {
    throw refuse(node, "selects the last of equals");
  }
}

/** The layers up to the one that answers, which must sum: others get one behind them that changes nothing. */
function answering(chain: Chain, last: Value): Chain["layers"] {
  if (last.order.some((place, at) => place !== at)) {
    throw refuseModel(
      "The model answers a map whose channels come first; FPGA boards answer channels last. End it with a flattened layer.",
    );
  }
  const made = chain.layers[last.layer];
  if (
    last.layer === chain.layers.length - 1 &&
    made?.kind !== "max-pool" &&
    made?.kind !== "concat"
  )
    return chain.layers;
  const map = mapOf(chain, last);
  append(chain, {
    kind: "convolution",
    name: `${made?.name ?? "input"}/answer`,
    from: last.layer,
    input: plainView(map),
    output: map,
    window: pixelWindow,
    groups: map.channels,
    weights: new Float64Array(map.channels).fill(1),
    bias: new Float64Array(map.channels),
    relu: false,
  });
  return chain.layers;
}
