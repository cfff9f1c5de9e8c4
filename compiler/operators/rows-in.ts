import type { GraphNode } from "../graph/graph";
import { refuse } from "../graph/refuse";
import type { MapShape } from "../integer/integer-maps";
import { append, type Chain, mapOf } from "../model/maps/chain";
import { copyLayer, pixelWindow, plainView } from "../model/maps/layers";
import { rowsOf, type Value } from "../model/maps/value";
import { hasQuantizers } from "../model/quantizer";

/** Each row's values, as the channels of one pixel. */
export interface Rows {
  readonly layer: number;
  readonly map: MapShape;
  /** Where the rows' elements are in that map, and in any that is made of it pixel by pixel. */
  readonly order: Int32Array;
}

/** Longest row that each of its values is subtracted from: that takes as many weights as its square. */
const longestRow = 512;

/**
 * The rows along a value's last dimension, as pixels of a single line or column: as they lie, or copied.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` for values in mixed order, for rows of more than 512 values, and in quantised
 *   models.
 */
export function rowsIn(chain: Chain, value: Value, node: GraphNode): Rows {
  const map = mapOf(chain, value);
  const { layer, order } = value;
  const count = value.shape.at(-1) ?? 1;
  if (hasQuantizers(chain.graph)) throw refuse(node, "between layers of a quantised model");
  if (count > longestRow) {
    throw refuse(node, `over ${count} values; FPGA boards take ${longestRow} at most`);
  }
  const isPixel = (place: number, at: number) => {
    const channel = at % count;
    return place % count === channel && place - channel === order[at - channel];
  };
  const isLine = map.height === 1 || map.width === 1;
  if (layer >= 0 && map.channels === count && isLine && order.every(isPixel)) {
    return { layer, map, order };
  }
  const { view } = rowsOf({ ...value, shape: [order.length / count, count] }, node);
  const copy = copyLayer(`${node.name}/rows`, layer, view);
  return {
    layer: append(chain, copy),
    map: copy.output,
    order: Int32Array.from(order.keys()),
  };
}

/** What a sum over the channels of each pixel has, besides its weights. */
export const pixelSum = (name: string, from: number, read: MapShape) =>
  ({
    kind: "convolution",
    name,
    from,
    input: plainView(read),
    window: pixelWindow,
    groups: 1,
    relu: false,
  }) as const;
