import type { GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { afterHead, type Head, type HeadView } from "../model/head";
import { append, type Chain, isOfInputs, mapOf, type NodeView, wholeOf } from "../model/maps/chain";
import { rowMap } from "../model/maps/layers";
import type { Value } from "../model/maps/value";
import { axisOf, type Evaluation, type Operator, sizeOf } from "./operator";

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Any number of tensors, one behind the other along an axis. */
function evaluate({ node, input }: Evaluation): RealTensor {
  const parts = node.inputs.map((_, index) => input(index));
  const first = parts[0]?.shape ?? [];
  const axis = axisOf(node, first.length, 1);
  const outer = sizeOf(first.slice(0, axis));
  const lengths = parts.map(({ shape }) => sizeOf(shape.slice(axis)));
  const values = new Float64Array(outer * sumOf(lengths));
  let at = 0;
  for (let block = 0; block < outer; block++) {
    for (const [index, part] of parts.entries()) {
      const length = lengths[index] ?? 0;
      values.set(part.values.subarray(block * length, (block + 1) * length), at);
      at += length;
    }
  }
  return { shape: first.with(axis, sumOf(parts.map(({ shape }) => shape[axis] ?? 0))), values };
}

/** Maps beside each other, channel after channel. */
function read({ node, chain, value }: NodeView): Value {
  const given = node.inputs.map((_, index) => value(index));
  const joined = joinedInputs(node, chain, given);
  if (joined) return joined;
  const parts = given.map((part) => wholeOf(chain, part, node));
  const [first] = parts;
  const rank = (first?.shape.length ?? 0) + 1;
  const axis = axisOf(node, rank, 1) - 1;
  if (!first) throw refuse(node, "joins nothing");
  // Vectors are one pixel, whatever map they were flattened from.
  const maps = parts.map((part) => {
    const map = mapOf(chain, part);
    const isVector = part.shape.length === 1;
    return isVector ? rowMap(part.order.length) : map;
  });
  const fits = parts.every((part, index) => {
    const map = maps[index];
    const others = part.shape.filter((_, at) => at !== axis);
    const wanted = first.shape.filter((_, at) => at !== axis);
    const stride = part.shape.slice(axis + 1).reduce((product, size) => product * size, 1);
    const channels = part.shape[axis] ?? 0;
    return (
      part.shape.length === first.shape.length &&
      others.every((size, at) => size === wanted[at]) &&
      channels === map?.channels &&
      map.width === maps[0]?.width &&
      (part.shape.length === 1 || channels === 1 || part.order[stride] === 1)
    );
  });
  if (!fits) throw refuse(node, "joins something else than the channels of maps of one size");
  const channels = maps.map((map) => map.channels);
  const total = channels.reduce((sum, each) => sum + each, 0);
  const output = {
    height: maps[0]?.height ?? 1,
    width: maps[0]?.width ?? 1,
    channels: total,
  };
  const from = parts.map((part) => part.layer);
  const layer = append(chain, { kind: "concat", name: node.name, from, channels, output });
  const shape = first.shape.with(axis, total);
  const order = new Int32Array(output.height * output.width * total);
  const inner = shape.slice(axis + 1).reduce((product, size) => product * size, 1);
  const offsets = channels.map((_, index) =>
    channels.slice(0, index).reduce((sum, each) => sum + each, 0),
  );
  for (let flat = 0; flat < order.length; flat++) {
    const c = Math.floor(flat / inner) % total;
    const index = offsets.findLastIndex((offset) => offset <= c);
    const own = channels[index] ?? 1;
    const offset = offsets[index] ?? 0;
    const outer = Math.floor(flat / (inner * total));
    const place = parts[index]?.order[(outer * own + (c - offset)) * inner + (flat % inner)] ?? 0;
    order[flat] = Math.floor(place / own) * total + offset + (place % own);
  }
  return { layer, shape, order };
}

/** Vectors that all come from the inputs lie in one row already; null for any others, and for one that comes twice. */
function joinedInputs(node: GraphNode, chain: Chain, parts: readonly Value[]): Value | null {
  const layer = parts[0]?.layer ?? -1;
  const isBeside = (part: Value) => part.layer === layer && part.shape.length === 1;
  if (!isOfInputs(chain, { layer }) || !parts.every(isBeside)) return null;
  const order = parts.flatMap((part) => Array.from(part.order));
  if (new Set(order).size !== order.length || axisOf(node, 2, 1) !== 1) return null;
  return {
    layer,
    shape: [order.length],
    order: Int32Array.from(order),
    ...(layer < 0 ? { scales: chain.inputScales.slice() } : {}),
  };
}

/** One minus a probability and that probability side by side: two classes. */
function head(view: HeadView): Head {
  const { node, heads } = view;
  const [first, second, ...more] = node.inputs.map((name) => heads.get(name));
  const axis = node.attributes["axis"];
  const isPair =
    first?.kind === "complement" && second?.kind === "plain" && second.activation === "sigmoid";
  if (!isPair || more.length > 0 || (axis !== 1 && axis !== -1)) throw afterHead(view);
  return { activation: "softmax", kind: "pair", classes: null };
}

export const concat: Operator = {
  evaluate,
  folds: true,
  list: ({ node, list }) => node.inputs.flatMap((_, index) => list(index) ?? Number.NaN),
  read,
  head,
};
