import type { Graph } from "@/compiler";
import { type MapGraphBuilder, mapGraph } from "./map-graph";

export interface AttentionShape {
  readonly tokens: number;
  /** Values of a token. */
  readonly width: number;
  readonly heads: number;
  readonly seed?: number;
}

/**
 * A block of a transformer as exporters write it: queries, keys and values by heads, scores, softmax, contexts, the output's
 * projection, a residual sum, and a dense layer over all tokens.
 */
export function attentionNet({ tokens, width, heads, seed = 5 }: AttentionShape): Graph {
  const net = mapGraph([-1, tokens, width], seed);
  const sum = net.add("Add", [net.input, attention(net, net.input, { tokens, width, heads })]);
  return net.finish(net.dense(sum, tokens * width, 4), [-1, 4]);
}

/** The attention of tokens to each other. @returns The name of its result. */
export function attention(
  net: MapGraphBuilder,
  from: string,
  { tokens, width, heads }: AttentionShape,
): string {
  const each = width / heads;
  const project = (of: string) =>
    net.add("Add", [net.add("MatMul", [of], { weights: [[width, width]] })], {
      weights: [[width]],
    });
  const byHead = (perm: readonly number[]) => {
    const split = net.add("Reshape", [project(from)], { constants: [[-1, tokens, heads, each]] });
    return net.add("Transpose", [split], { attributes: { perm } });
  };
  const scores = net.add("MatMul", [byHead([0, 2, 1, 3]), byHead([0, 2, 3, 1])]);
  const scaled = net.add("Div", [scores], { constants: [[Math.sqrt(each)]] });
  const shares = net.add("Softmax", [scaled], { attributes: { axis: -1 } });
  const contexts = net.add("MatMul", [shares, byHead([0, 2, 1, 3])]);
  const together = net.add("Transpose", [contexts], { attributes: { perm: [0, 2, 1, 3] } });
  return project(net.add("Reshape", [together], { constants: [[-1, tokens, width]] }));
}
