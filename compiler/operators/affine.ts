import type { GraphNode } from "../graph/graph";
import { refuse } from "../graph/refuse";
import { append, mapOf, type NodeView } from "../model/maps/chain";
import type { Value } from "../model/maps/value";

/**
 * `y = factor · x + offset` of a value. Of the input it is left to the host, which scales inputs anyway.
 *
 * @param each One factor and one offset for every element of the value's map.
 * @throws {AppError} `OPERATOR_UNSUPPORTED` where pixels of one channel differ.
 */
export function affine(
  { node, chain }: NodeView,
  own: Value,
  each: { readonly factor: Float64Array; readonly offset: Float64Array },
): Value {
  if (own.layer < 0) {
    const { inputFactor, inputOffset } = chain;
    for (const [at, factor] of each.factor.entries()) {
      inputFactor[at] = (inputFactor[at] ?? 1) * factor;
      inputOffset[at] = (inputOffset[at] ?? 0) * factor + (each.offset[at] ?? 0);
    }
    chain.inputVersion++;
    return { ...own, version: chain.inputVersion };
  }
  const output = mapOf(chain, own);
  const layer = append(chain, {
    kind: "affine",
    name: node.name,
    operator: node.operator,
    from: own.layer,
    output,
    factor: byChannel(node, each.factor, output.channels),
    offset: byChannel(node, each.offset, output.channels),
  });
  return { ...own, layer };
}

function byChannel(node: GraphNode, values: Float64Array, channels: number): Float64Array {
  if (values.some((value, at) => value !== values[at % channels])) {
    throw refuse(node, "has another constant for each pixel, not one for each channel");
  }
  return values.slice(0, channels);
}
