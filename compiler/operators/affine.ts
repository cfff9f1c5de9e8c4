import type { GraphNode } from "../graph/graph";
import { refuse } from "../graph/refuse";
import {
  append,
  type Chain,
  copyOf,
  isReadByLayers,
  mapOf,
  type NodeView,
  wholeOf,
} from "../model/maps/chain";
import type { InputScale } from "../model/maps/layers";
import type { Value } from "../model/maps/value";

/**
 * `y = factor · x + offset` of a value. Of the input it is left to the host, which scales inputs anyway, unless a layer has
 * read it without.
 *
 * @param each One factor and one offset for every element of the value, row-major.
 * @throws {AppError} `OPERATOR_UNSUPPORTED` where pixels of one channel differ.
 */
export function affine({ node, chain }: NodeView, value: Value, each: InputScale): Value {
  if (value.layer < 0 && !isReadByLayers(chain, value)) return scaledByHost(chain, value, each);
  const own = value.layer < 0 ? copyOf(chain, value, node) : wholeOf(chain, value, node);
  const output = mapOf(chain, own);
  const layer = append(chain, {
    kind: "affine",
    name: node.name,
    operator: node.operator,
    from: own.layer,
    output,
    factor: byChannel(node, inOrderOfMap(own, each.factor), output.channels),
    offset: byChannel(node, inOrderOfMap(own, each.offset), output.channels),
  });
  return { ...own, layer };
}

function scaledByHost(
  { inputFactor, inputOffset, inputScales }: Chain,
  own: Value,
  each: InputScale,
): Value {
  for (const [at, place] of own.order.entries()) {
    const factor = each.factor[at] ?? 1;
    inputFactor[place] = (inputFactor[place] ?? 1) * factor;
    inputOffset[place] = (inputOffset[place] ?? 0) * factor + (each.offset[at] ?? 0);
    inputScales[place] = (inputScales[place] ?? 0) + 1;
  }
  return { ...own, scales: inputScales.slice() };
}

function inOrderOfMap({ order }: Value, values: Float64Array): Float64Array {
  const result = new Float64Array(order.length);
  for (const [at, place] of order.entries()) result[place] = values[at] ?? 0;
  return result;
}

function byChannel(node: GraphNode, values: Float64Array, channels: number): Float64Array {
  if (values.some((value, at) => value !== values[at % channels])) {
    throw refuse(node, "has another constant for each pixel, not one for each channel");
  }
  return values.slice(0, channels);
}
