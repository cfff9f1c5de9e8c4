import { type ElementwiseProgram, elementwiseOperation } from "@/lib/common/elementwise";
import type { GraphNode } from "../graph/graph";
import type { MapShape } from "../integer/integer-maps";
import { append, type Chain } from "../model/maps/chain";
import { pixelWindow } from "../model/maps/layers";
import { likeRowsOf, type Value } from "../model/maps/value";
import { pixelSum, rowsIn } from "./rows-in";

/**
 * The softmax of each row along the last dimension, of layers that hardware has: `exp(x − m − ln Σ exp(x − m))` with `m`
 * the row's largest value, so that nothing overflows and nothing is divided.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` for values in mixed order.
 */
export function softmaxOfRows(chain: Chain, value: Value, node: GraphNode): Value {
  const { layer, map, order } = rowsIn(chain, value, node);
  const pixels = { height: map.height, width: map.width };
  const one = { ...pixels, channels: 1 };
  const { channels: count } = map;
  const isTall = map.width === 1;
  const largest = append(chain, {
    kind: "max-pool",
    name: `${node.name}/largest`,
    from: layer,
    input: isTall
      ? { height: map.height, width: count, channels: 1, strides: [count, 1, 1] }
      : { height: count, width: map.width, channels: 1, strides: [1, count, 1] },
    output: one,
    window: {
      ...pixelWindow,
      kernel: isTall ? [1, count] : [count, 1],
      strides: isTall ? [1, count] : [count, 1],
    },
  });
  const join = (name: string, from: readonly [number, number], more: number) =>
    append(chain, {
      kind: "concat",
      name: `${node.name}/${name}`,
      from,
      channels: [more - 1, 1],
      output: { ...pixels, channels: more },
    });
  const withLargest = join("with-largest", [layer, largest], count + 1);
  const powers = append(chain, {
    ...pixelSum(`${node.name}/powers`, withLargest, { ...pixels, channels: count + 1 }),
    ...differences(map, count + 1),
    elementwise: exponential,
  });
  const sum = append(chain, {
    ...pixelSum(`${node.name}/sum`, powers, map),
    output: one,
    weights: new Float64Array(count).fill(1),
    bias: new Float64Array(1),
    elementwise: logarithm,
  });
  const withSum = join("with-sum", [withLargest, sum], count + 2);
  const result = append(chain, {
    ...pixelSum(node.name, withSum, { ...pixels, channels: count + 2 }),
    ...differences(map, count + 2),
    elementwise: exponential,
  });
  return likeRowsOf(value, { layer: result, shape: value.shape, order });
}

/** Each value less all that was joined to the row behind its values. */
function differences(output: MapShape, read: number) {
  const { channels } = output;
  const weights = Float64Array.from({ length: channels * read }, (_, at) => {
    const from = at % read;
    return from >= channels ? -1 : from === Math.floor(at / read) ? 1 : 0;
  });
  return { output, weights, bias: new Float64Array(channels) };
}

/** No argument is above 0: what rounding brings there is 1. */
const exponential: ElementwiseProgram = [
  elementwiseOperation("Min", { from: 0 }, { constant: 0 }),
  elementwiseOperation("Exp", { from: 1 }),
];
/** Sums are 1 at least: the largest power is. */
const logarithm: ElementwiseProgram = [
  elementwiseOperation("Max", { from: 0 }, { constant: 1 }),
  elementwiseOperation("Log", { from: 1 }),
];
