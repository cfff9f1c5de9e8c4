import { drawActivation } from "./activations";
import type { Draw } from "./draw";
import { GraphBuilder } from "./graph-builder";
import type { DrawnGraph } from "./types";
import { drawKind, drawWeights, type WeightKind } from "./weights";

/** Dense layers in a row, of any size from one neuron to twenty layers, with any function between them. */
export function drawDense(draw: Draw): DrawnGraph {
  const builder = new GraphBuilder();
  const depth = draw.pick([1, 1, 2, 2, 3, 3, 4, 6, 20]);
  const mostly = drawKind(draw);
  const odd = draw.integer(0, depth - 1);
  const sameFunction = draw.chance(0.5) ? draw.integer(0, 1e6) : null;
  const inputs = drawSize(draw);
  const about: string[] = [`${mostly} ${inputs}`];
  let value = "x";
  let size = inputs;
  if (draw.chance(0.15)) value = drawScaling(draw, builder, value, size);
  for (let layer = 0; layer < depth; layer++) {
    const kind = draw.chance(0.2) && layer === odd ? "zero" : mostly;
    const outputs = layer === depth - 1 && draw.chance(0.2) ? 1 : drawSize(draw);
    value = drawLayer(draw, builder, { value, size, outputs, kind });
    size = outputs;
    about.push(`${kind === mostly ? "" : kind}${size}`);
    if (draw.chance(0.1)) value = drawScaling(draw, builder, value, size);
    if (layer < depth - 1 && draw.chance(0.9)) {
      const drawn = drawActivation(draw, builder, value, sameFunction);
      value = drawn.value;
      about.push(drawn.name);
    }
  }
  const end = drawEnd(draw, builder, value);
  const datatype = end.name === "ArgMax" ? "INT64" : "FP32";
  const width = end.name === "ArgMax" ? 1 : size;
  return {
    about: [...about, end.name].join(" "),
    graph: builder.graph(
      [{ name: "x", datatype: "FP32", shape: [-1, inputs] }],
      [{ name: end.value, datatype, shape: [-1, width] }],
    ),
  };
}

/** Mostly small, so that thousands of models can be tried. */
const drawSize = (draw: Draw): number =>
  draw.chance(0.15) ? 1 : draw.chance(0.1) ? draw.integer(20, 48) : draw.integer(2, 12);

interface LayerWish {
  readonly value: string;
  readonly size: number;
  readonly outputs: number;
  readonly kind: WeightKind;
}

function drawLayer(draw: Draw, builder: GraphBuilder, wish: LayerWish): string {
  const { value, size, outputs, kind } = wish;
  const weights = drawWeights(draw, size * outputs, size, kind);
  const bias = () =>
    builder.constant([outputs], drawWeights(draw, outputs, 4, draw.chance(0.3) ? "zero" : kind));
  const form = draw.integer(0, 3);
  if (form === 0) {
    const product = builder.node("MatMul", [value, builder.constant([size, outputs], weights)]);
    return draw.chance(0.7) ? builder.node("Add", [product, bias()]) : product;
  }
  const transB = form === 1 ? 1 : 0;
  const shape = transB ? [outputs, size] : [size, outputs];
  const scales = draw.chance(0.2) ? { alpha: draw.pick([0.5, 2, 0, -1]), beta: 0.25 } : {};
  const operands = [value, builder.constant(shape, weights), ...(draw.chance(0.8) ? [bias()] : [])];
  return builder.node("Gemm", operands, { transB, ...scales });
}

/** A factor and an offset for each value, or for all of them. */
function drawScaling(draw: Draw, builder: GraphBuilder, value: string, size: number): string {
  const one = (operator: string, of: string, values: Float32Array) =>
    builder.node(operator, [
      of,
      builder.constant(values.length === 1 ? [] : [values.length], values),
    ]);
  const count = draw.chance(0.5) ? 1 : size;
  const factor = Float32Array.from({ length: count }, () => draw.pick([0.5, 2, 3, -1, 0.1]));
  const offset = Float32Array.from({ length: count }, () => draw.normal());
  const shifted = one(draw.pick(["Add", "Sub"]), value, offset);
  return one(draw.pick(["Mul", "Div"]), shifted, factor);
}

function drawEnd(draw: Draw, builder: GraphBuilder, value: string) {
  const name = draw.pick([
    "None",
    "None",
    "Softmax",
    "Softmax",
    "Sigmoid",
    "ArgMax",
    "Relu",
    "Tanh",
  ]);
  if (name === "None") return { name, value };
  if (name === "ArgMax")
    return { name, value: builder.node(name, [value], { axis: 1, keepdims: 1 }) };
  return { name, value: builder.node(name, [value], name === "Softmax" ? { axis: -1 } : {}) };
}
