import type { GraphConstant } from "../graph/graph";
import { refuse } from "../graph/refuse";
import { append, type NodeView, spread } from "../model/maps/chain";
import { pixelWindow, rowMap, rowView } from "../model/maps/layers";
import { likeRowsOf, newValue, rowsOf, type Value } from "../model/maps/value";

interface Weights {
  readonly matrix: GraphConstant;
  /** Whether each row of the matrix has the weights of one output. */
  readonly byOutput: boolean;
  /** What all weights are multiplied with. */
  readonly alpha: number;
  readonly bias: { readonly constant: GraphConstant; readonly beta: number } | null;
}

/**
 * Every output reads every value of a row: a convolution whose window is one pixel. A vector is one long pixel, weights
 * put in the order of its map; of a tensor of more dimensions, each row along the last one is a pixel.
 */
export function fullyConnected({ node, chain, value }: NodeView, weights: Weights): Value {
  const own = value(0);
  const { shape } = weights.matrix;
  const [rows = 0, columns = 0] = shape;
  const [inputs, outputs] = weights.byOutput ? [columns, rows] : [rows, columns];
  if (shape.length !== 2 || inputs !== own.shape.at(-1) || outputs < 1) {
    throw refuse(
      node,
      `has weights of shape [${shape.join(", ")}] for [batch, ${own.shape.join(", ")}]`,
    );
  }
  return own.shape.length === 1
    ? ofVector({ node, chain }, own, weights, outputs)
    : ofRows({ node, chain }, own, weights, outputs);
}

type Place = Pick<NodeView, "node" | "chain">;

function ofVector({ node, chain }: Place, own: Value, weights: Weights, outputs: number): Value {
  const [first, last] = [
    own.order.reduce((a, b) => Math.min(a, b)),
    own.order.reduce((a, b) => Math.max(a, b)),
  ];
  // Of several inputs, the part from the first value that is read to the last one.
  const span = last - first + 1;
  const placed = new Float64Array(outputs * span);
  const inputs = own.shape[0] ?? 0;
  for (const [at, weight] of weightsByOutput(weights, inputs, outputs).entries()) {
    const to = Math.floor(at / inputs) * span + (own.order[at % inputs] ?? 0) - first;
    placed[to] = (placed[to] ?? 0) + weight;
  }
  const output = rowMap(outputs);
  const result = newValue(chain.layers.length, output, [outputs]);
  append(chain, {
    ...dense(node.name, own.layer),
    input: rowView(first, span),
    output,
    weights: placed,
    bias: biasOf({ node, chain }, weights, result),
  });
  return result;
}

function ofRows({ node, chain }: Place, own: Value, weights: Weights, outputs: number): Value {
  const { view, leading } = rowsOf(own, node);
  const output = { height: view.height, width: view.width, channels: outputs };
  const shape = [...leading, outputs];
  const order = Int32Array.from({ length: view.height * view.width * outputs }, (_, at) => at);
  const result = likeRowsOf(own, { layer: chain.layers.length, shape, order });
  append(chain, {
    ...dense(node.name, own.layer),
    input: view,
    output,
    weights: weightsByOutput(weights, view.channels, outputs),
    bias: biasOf({ node, chain }, weights, newValue(-1, rowMap(outputs), [outputs])),
  });
  return result;
}

const dense = (name: string, from: number) =>
  ({ kind: "convolution", name, from, window: pixelWindow, groups: 1, relu: false }) as const;

/** Row-major by output. */
function weightsByOutput(
  { matrix: { values }, byOutput, alpha }: Weights,
  inputs: number,
  outputs: number,
): Float64Array {
  return Float64Array.from({ length: inputs * outputs }, (_, at) => {
    const [output, input] = [Math.floor(at / inputs), at % inputs];
    return alpha * (values[byOutput ? at : input * outputs + output] ?? 0);
  });
}

const biasOf = ({ node }: Place, { bias }: Weights, sums: Value): Float64Array =>
  bias
    ? spread(node, bias.constant, sums).map((each) => bias.beta * each)
    : new Float64Array(sums.order.length);
