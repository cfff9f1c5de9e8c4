import type { Placed } from "../graph/window-of";
import type { MapView } from "../integer/integer-maps";
import { append, type NodeView } from "../model/maps/chain";

/** An average is a convolution of each channel by itself, all weights the same. @returns Its layer. */
export function appendAverage(
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
