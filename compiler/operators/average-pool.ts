import { refuse } from "../graph/refuse";
import { reachesOver, windowOf } from "../graph/window-of";
import type { NodeView } from "../model/maps/chain";
import { newValue, type Value, viewOf } from "../model/maps/value";
import { appendAverage } from "./average";
import { numberOf, type Operator } from "./operator";
import { pooled } from "./pooled";
import { imageShape, kernelOf } from "./windows";

function read({ node, chain, value }: NodeView): Value {
  const own = value(0);
  const input = viewOf(own, node);
  const dimensions = own.shape.length - 1;
  const kernel = kernelOf(node, input, dimensions);
  const placed = windowOf(node, input, kernel, dimensions);
  if (reachesOver(placed, input) && numberOf(node, "count_include_pad", 0) === 0) {
    throw refuse(node, "averages over fewer values at the edges, which FPGA boards do not take");
  }
  const layer = appendAverage({ node, chain }, { from: own.layer, input, placed });
  const output = { height: placed.height, width: placed.width, channels: input.channels };
  return newValue(layer, output, imageShape(input.channels, placed, dimensions));
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** `AveragePool` and `GlobalAveragePool`. */
export const averagePool: Operator = {
  evaluate: (each) => {
    const countsPadding = numberOf(each.node, "count_include_pad", 0) === 1;
    return pooled(each, (values, size) => sumOf(values) / (countsPadding ? size : values.length));
  },
  read,
  isLayer: true,
};
