import type { GraphNode } from "../../graph/graph";
import { refuse } from "../../graph/refuse";
import { type Placed, reachesOver, windowOf } from "../../graph/window-of";
import type { MapView } from "../../integer/integer-maps";
import { append, mapOf, type NodeView, needConstant, numberOf, spread } from "./chain";
import { pixelWindow } from "./layers";
import { newValue, type Value, viewOf } from "./value";

/** Conv in one or two dimensions, in groups or not. */
export function convolution(view: NodeView): Value {
  const { node, chain, value, constant } = view;
  const own = value(0);
  const { shape, values } = needConstant(view, 1);
  const [channels = 0, inputs = 0, ...kernel] = shape;
  const dimensions = kernel.length;
  const input = viewOf(own, node);
  const groups = numberOf(node, "group", 1);
  if (dimensions !== own.shape.length - 1 || input.channels !== inputs * groups) {
    throw refuse(
      node,
      `has weights of shape [${shape.join(", ")}] for [batch, ${own.shape.join(", ")}]`,
    );
  }
  const taps = kernel.reduce((product, size) => product * size, 1);
  const weights = new Float64Array(values.length);
  for (let output = 0; output < channels; output++) {
    for (let c = 0; c < inputs; c++) {
      for (let tap = 0; tap < taps; tap++) {
        const from = (output * inputs + c) * taps + tap;
        weights[(output * taps + tap) * inputs + c] = values[from] ?? 0;
      }
    }
  }
  const bias = node.inputs[2] ? constant(2) : null;
  if (node.inputs[2] && !bias) throw refuse(node, "needs a constant bias");
  const placed = windowOf(node, input, kernel, dimensions);
  const output = { height: placed.height, width: placed.width, channels };
  const layer = append(chain, {
    kind: "convolution",
    name: node.name,
    from: own.layer,
    input,
    output,
    window: placed.window,
    groups,
    weights,
    bias: Float64Array.from({ length: channels }, (_, at) => bias?.values[at] ?? 0),
    relu: false,
  });
  return newValue(layer, output, imageShape(channels, placed, dimensions));
}

export function maxPool({ node, chain, value }: NodeView): Value {
  const own = value(0);
  const input = viewOf(own, node);
  const dimensions = own.shape.length - 1;
  const kernel = kernelOf(node, input, dimensions);
  if ((node.outputs[1] ?? "") !== "") throw refuse(node, "gives places besides values");
  const placed = windowOf(node, input, kernel, dimensions);
  const output = { height: placed.height, width: placed.width, channels: input.channels };
  const layer = append(chain, {
    kind: "max-pool",
    name: node.name,
    from: own.layer,
    input,
    output,
    window: placed.window,
  });
  return newValue(layer, output, imageShape(input.channels, placed, dimensions));
}

/** An average is a convolution of each channel by itself, all weights the same. */
export function averagePool({ node, chain, value }: NodeView): Value {
  const own = value(0);
  const input = viewOf(own, node);
  const dimensions = own.shape.length - 1;
  const kernel = kernelOf(node, input, dimensions);
  const placed = windowOf(node, input, kernel, dimensions);
  if (reachesOver(placed, input) && numberOf(node, "count_include_pad", 0) === 0) {
    throw refuse(node, "averages over fewer values at the edges, which FPGA boards do not take");
  }
  const layer = appendAverage({ node, chain }, { from: own.layer, input, placed });
  return newValue(layer, chain.layers[layer]?.output ?? input, [
    ...imageShape(input.channels, placed, dimensions),
  ]);
}

/** ReduceMean over all pixels: a global average with or without the dimensions kept. */
export function reduceMean({ node, chain, value, constant }: NodeView): Value {
  const own = value(0);
  const given = constant(1)?.values ?? (node.attributes["axes"] as readonly number[] | undefined);
  const rank = own.shape.length + 1;
  const axes = Array.from(given ?? [], (axis) => (axis < 0 ? axis + rank : axis)).sort();
  const keeps = numberOf(node, "keepdims", 1) === 1;
  const channelAxis = own.shape.map((_, at) => at + 1).filter((axis) => !axes.includes(axis));
  if (axes.includes(0) || channelAxis.length !== 1 || axes.length !== own.shape.length - 1) {
    throw refuse(node, `over axes ${axes.join(", ")} is not an average over all pixels`);
  }
  const [channel = 1] = channelAxis;
  const map = mapOf(chain, own);
  const channels = own.shape[channel - 1] ?? 0;
  const strideOfChannel = own.shape.slice(channel).reduce((product, size) => product * size, 1);
  if (channels !== map.channels || (channels > 1 && own.order[strideOfChannel] !== 1)) {
    throw refuse(node, "averages over something else than the pixels of a map");
  }
  const input: MapView = { ...map, strides: [map.width * channels, channels, 1] };
  const placed: Placed = {
    window: { ...pixelWindow, kernel: [map.height, map.width] },
    height: 1,
    width: 1,
  };
  const layer = appendAverage({ node, chain }, { from: own.layer, input, placed });
  const shape = keeps ? own.shape.map((_, at) => (at + 1 === channel ? channels : 1)) : [channels];
  return { layer, shape, order: Int32Array.from({ length: channels }, (_, c) => c), version: 0 };
}

function appendAverage(
  { node, chain }: Pick<NodeView, "node" | "chain">,
  {
    from,
    input,
    placed,
  }: { readonly from: number; readonly input: MapView; readonly placed: Placed },
): number {
  const { channels } = input;
  const [rows, columns] = placed.window.kernel;
  return append(chain, {
    kind: "convolution",
    name: node.name,
    from,
    input,
    output: { height: placed.height, width: placed.width, channels },
    window: placed.window,
    groups: channels,
    weights: new Float64Array(channels * rows * columns).fill(1 / (rows * columns)),
    bias: new Float64Array(channels),
    relu: false,
  });
}

/** MatMul and Gemm: a convolution whose window is one long pixel, weights put in the order of the map. */
export function dense(view: NodeView): Value {
  const { node, chain, value, constant } = view;
  const isGemm = node.operator === "Gemm";
  const own = value(0);
  const { shape, values } = needConstant(view, 1);
  const byOutput = isGemm && numberOf(node, "transB", 0) === 1;
  const [rows = 0, columns = 0] = shape;
  const [inputs, outputs] = byOutput ? [columns, rows] : [rows, columns];
  if (own.shape.length !== 1 || shape.length !== 2 || inputs !== own.shape[0]) {
    throw refuse(
      node,
      `has weights of shape [${shape.join(", ")}] for [batch, ${own.shape.join(", ")}]`,
    );
  }
  if (isGemm && numberOf(node, "transA", 0) === 1) throw refuse(node, "turns its input round");
  const alpha = isGemm ? numberOf(node, "alpha", 1) : 1;
  const weights = new Float64Array(values.length);
  for (let output = 0; output < outputs; output++) {
    for (let at = 0; at < inputs; at++) {
      const from = byOutput ? output * inputs + at : at * outputs + output;
      weights[output * inputs + (own.order[at] ?? 0)] = alpha * (values[from] ?? 0);
    }
  }
  const output = { height: 1, width: 1, channels: outputs };
  const result = newValue(chain.layers.length, output, [outputs]);
  const offset = isGemm && node.inputs[2] ? constant(2) : null;
  if (isGemm && node.inputs[2] && !offset) throw refuse(node, "needs a constant bias");
  const beta = numberOf(node, "beta", 1);
  const bias = offset
    ? spread(node, offset, result).map((each) => beta * each)
    : new Float64Array(outputs);
  append(chain, {
    kind: "convolution",
    name: node.name,
    from: own.layer,
    input: { height: 1, width: 1, channels: inputs, strides: [inputs, inputs, 1] },
    output,
    window: pixelWindow,
    groups: 1,
    weights,
    bias,
    relu: false,
  });
  return result;
}

function kernelOf(node: GraphNode, input: MapView, dimensions: number): readonly number[] {
  if (node.operator.startsWith("Global")) {
    return dimensions === 1 ? [input.width] : [input.height, input.width];
  }
  const kernel = node.attributes["kernel_shape"];
  if (!Array.isArray(kernel) || kernel.length !== dimensions) {
    throw refuse(node, "has no window of the dimensions of its input");
  }
  return kernel.map(Number);
}

const imageShape = (
  channels: number,
  { height, width }: Placed,
  dimensions: number,
): readonly number[] => (dimensions === 1 ? [channels, width] : [channels, height, width]);
