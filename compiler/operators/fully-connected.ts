import type { GraphConstant } from "../graph/graph";
import { refuse } from "../graph/refuse";
import { append, type NodeView, spread } from "../model/maps/chain";
import { pixelWindow, rowMap, rowView } from "../model/maps/layers";
import { newValue, type Value } from "../model/maps/value";

interface Weights {
  readonly matrix: GraphConstant;
  /** Whether each row of the matrix has the weights of one output. */
  readonly byOutput: boolean;
  /** What all weights are multiplied with. */
  readonly alpha: number;
  readonly bias: { readonly constant: GraphConstant; readonly beta: number } | null;
}

/** Every output reads every value: a convolution whose window is one long pixel, weights put in the order of the map. */
export function fullyConnected(
  { node, chain, value }: NodeView,
  { matrix: { shape, values }, byOutput, alpha, bias }: Weights,
): Value {
  const own = value(0);
  const [rows = 0, columns = 0] = shape;
  const [inputs, outputs] = byOutput ? [columns, rows] : [rows, columns];
  if (own.shape.length !== 1 || shape.length !== 2 || inputs !== own.shape[0] || outputs < 1) {
    throw refuse(
      node,
      `has weights of shape [${shape.join(", ")}] for [batch, ${own.shape.join(", ")}]`,
    );
  }
  const [first, last] = [
    own.order.reduce((a, b) => Math.min(a, b)),
    own.order.reduce((a, b) => Math.max(a, b)),
  ];
  // Of several inputs, the part from the first value that is read to the last one.
  const span = last - first + 1;
  const weights = new Float64Array(outputs * span);
  for (let output = 0; output < outputs; output++) {
    for (let at = 0; at < inputs; at++) {
      const from = byOutput ? output * inputs + at : at * outputs + output;
      const to = output * span + (own.order[at] ?? 0) - first;
      weights[to] = (weights[to] ?? 0) + alpha * (values[from] ?? 0);
    }
  }
  const output = rowMap(outputs);
  const result = newValue(chain.layers.length, output, [outputs]);
  append(chain, {
    kind: "convolution",
    name: node.name,
    from: own.layer,
    input: rowView(first, span),
    output,
    window: pixelWindow,
    groups: 1,
    weights,
    bias: bias
      ? spread(node, bias.constant, result).map((each) => bias.beta * each)
      : new Float64Array(outputs),
    relu: false,
  });
  return result;
}
