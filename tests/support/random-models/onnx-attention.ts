import { drawActivation } from "./activations";
import type { Draw } from "./draw";
import { GraphBuilder } from "./graph-builder";
import type { DrawnGraph } from "./types";
import { drawKind, drawWeights, type WeightKind } from "./weights";

/** A value of `[batch, tokens, width]`. */
interface Tokens {
  readonly value: string;
  readonly tokens: number;
  readonly width: number;
}

interface Place {
  readonly draw: Draw;
  readonly builder: GraphBuilder;
  readonly kind: WeightKind;
}

/** Blocks of transformers, and products of values beside each other, with a dense layer or none behind them. */
export function drawAttention(draw: Draw): DrawnGraph {
  const builder = new GraphBuilder();
  const kind = drawKind(draw);
  const place = { draw, builder, kind };
  const shape = [-1, draw.integer(1, 9), draw.integer(1, 8)];
  const [, tokens = 1, width = 1] = shape;
  const about = [`${kind} ${shape.join("x")}`];
  let value: Tokens = { value: "x", tokens, width };
  const depth = draw.integer(1, 4);
  for (let step = 0; step < depth; step++) {
    const name = step === 0 ? "Attention" : draw.pick(Object.keys(operators));
    value = operators[name]?.(place, value) ?? value;
    about.push(`${name}:${value.tokens}x${value.width}`);
  }
  const end = drawEnd(place, value);
  return {
    about: [...about, ...end.about].join(" "),
    graph: builder.graph(
      [{ name: "x", datatype: "FP32", shape }],
      [{ name: end.value, datatype: "FP32", shape: end.shape }],
    ),
  };
}

const operators: Readonly<Record<string, (place: Place, from: Tokens) => Tokens>> = {
  Attention: drawHeads,
  Dense: (place, from) => dense(place, from, place.draw.integer(1, 8)),
  Function: ({ draw, builder }, from) => ({
    ...from,
    value: drawActivation(draw, builder, from.value).value,
  }),
  Softmax: ({ builder }, from) => ({
    ...from,
    value: builder.node("Softmax", [from.value], { axis: -1 }),
  }),
  LayerNormalization: ({ draw, builder, kind }, { value, tokens, width }) => {
    const list = () => builder.constant([width], drawWeights(draw, width, 1, kind));
    const operands = [value, list(), ...(draw.chance(0.7) ? [list()] : [])];
    const epsilon = draw.pick([1e-5, 1e-3]);
    return {
      value: builder.node("LayerNormalization", operands, { axis: -1, epsilon }),
      tokens,
      width,
    };
  },
  /** Every token with every other. */
  Gram: ({ draw, builder }, { value, tokens }) => {
    const turned = builder.node("Transpose", [value], { perm: [0, 2, 1] });
    const gram = builder.node("MatMul", [value, turned]);
    const scale = builder.constant([], [draw.pick([0.5, 3, -1])]);
    return {
      value: draw.chance(0.5) ? builder.node("Mul", [gram, scale]) : gram,
      tokens,
      width: tokens,
    };
  },
  Residual: (place, from) => {
    const other = drawHeads(place, from, from.width);
    return { ...from, value: place.builder.node("Add", [from.value, other.value]) };
  },
};

/** A dense layer of each token: on `[batch, tokens, width]`, or on rows that the batch was joined with. */
function dense({ draw, builder, kind }: Place, from: Tokens, outputs: number): Tokens {
  const { tokens, width } = from;
  const weights = builder.constant(
    [width, outputs],
    drawWeights(draw, width * outputs, width, kind),
  );
  const bias = builder.constant([outputs], drawWeights(draw, outputs, 4, kind));
  const isJoined = draw.chance(0.3);
  const value = isJoined ? reshaped(builder, from.value, [-1, width]) : from.value;
  const product = builder.node("MatMul", [value, weights]);
  const sums = draw.chance(0.7) ? builder.node("Add", [product, bias]) : product;
  return {
    value: isJoined ? reshaped(builder, sums, [-1, tokens, outputs]) : sums,
    tokens,
    width: outputs,
  };
}

const reshaped = (builder: GraphBuilder, value: string, shape: readonly number[]) =>
  builder.node("Reshape", [value, builder.constant([shape.length], shape, "INT64")]);

function drawHeads(place: Place, from: Tokens, width = place.draw.integer(1, 8)): Tokens {
  const { draw, builder } = place;
  const { tokens } = from;
  const heads = draw.pick([1, 1, 2, 3]);
  const [key, own] = [draw.integer(1, 4), draw.integer(1, 4)];
  const isJoined = draw.chance(0.3);
  const byHead = (size: number, perm: readonly number[]) => {
    const all = dense(place, from, heads * size);
    const split = reshaped(builder, all.value, [-1, tokens, heads, size]);
    const turned = builder.node("Transpose", [split], { perm });
    const [rows, columns] = perm[2] === 3 ? [size, tokens] : [tokens, size];
    return isJoined ? reshaped(builder, turned, [-1, rows, columns]) : turned;
  };
  const queries = byHead(key, [0, 2, 1, 3]);
  const keys = byHead(key, [0, 2, 3, 1]);
  const scores = builder.node("MatMul", [queries, keys]);
  const root = builder.constant([], [Math.sqrt(key)]);
  const scaled = draw.chance(0.7) ? builder.node("Div", [scores, root]) : scores;
  const shares = draw.chance(0.8) ? builder.node("Softmax", [scaled], { axis: -1 }) : scaled;
  const contexts = builder.node("MatMul", [shares, byHead(own, [0, 2, 1, 3])]);
  const apart = isJoined ? reshaped(builder, contexts, [-1, heads, tokens, own]) : contexts;
  const turned = builder.node("Transpose", [apart], { perm: [0, 2, 1, 3] });
  const together = reshaped(builder, turned, [-1, tokens, heads * own]);
  return dense(place, { value: together, tokens, width: heads * own }, width);
}

function drawEnd({ draw, builder, kind }: Place, { value, tokens, width }: Tokens) {
  if (draw.chance(0.2)) return { value, shape: [-1, tokens, width], about: ["Tokens"] };
  const isMean = draw.chance(0.3);
  const flat = isMean
    ? builder.node("ReduceMean", [value], { axes: [1], keepdims: 0 })
    : builder.node("Flatten", [value], { axis: 1 });
  const inputs = isMean ? width : tokens * width;
  const outputs = draw.pick([1, 2, 4]);
  const weights = builder.constant(
    [inputs, outputs],
    drawWeights(draw, inputs * outputs, inputs, kind),
  );
  const scores = builder.node("MatMul", [flat, weights]);
  const isSoft = draw.chance(0.4);
  return {
    value: isSoft ? builder.node("Softmax", [scores], { axis: -1 }) : scores,
    shape: [-1, outputs],
    about: [isMean ? "Mean" : "Flatten", String(outputs), isSoft ? "Softmax" : "None"],
  };
}
