import { type ElementwiseProgram, elementwiseOperation } from "@/lib/common/elementwise";
import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { append, type NodeView, needConstant } from "../model/maps/chain";
import { dimensionsBefore, likeRowsOf, type Value } from "../model/maps/value";
import { axisOf, type Evaluation, numberOf, type Operator, sameShape, sizeOf } from "./operator";
import { pixelSum, rowsIn } from "./rows-in";

const epsilonOf = (node: NodeView["node"]) => numberOf(node, "epsilon", 1e-5);

function evaluate({ node, input, optional }: Evaluation): RealTensor {
  const { shape, values } = input(0);
  const count = sizeOf(shape.slice(axisOf(node, shape.length, -1)));
  const [scale, offset] = [input(1).values, optional(2)?.values];
  const result = new Float64Array(values.length);
  for (let first = 0; first < values.length; first += count) {
    const row = Float64Array.from(values.subarray(first, first + count));
    const mean = row.reduce((sum, value) => sum + value, 0) / count;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
    const deviation = Math.sqrt(variance + epsilonOf(node));
    for (const [at, value] of row.entries()) {
      const own = scale[at % scale.length] ?? 1;
      result[first + at] = ((value - mean) / deviation) * own + (offset?.[at % count] ?? 0);
    }
  }
  return { shape, values: result };
}

/**
 * Each row less its mean, times one over its deviation: the differences are the right operand of a product, which takes the
 * scale and the offset too.
 */
function read(view: NodeView): Value {
  const { node, chain, value } = view;
  const own = value(0);
  const rank = own.shape.length + dimensionsBefore(own);
  const count = own.shape.at(-1) ?? 1;
  const scale = needConstant(view, 1);
  const offset = node.inputs[2] ? needConstant(view, 2) : null;
  const isWhole = [scale, offset].every((each) => !each || each.values.length === count);
  if (axisOf(node, rank, -1) !== rank - 1 || !isWhole) {
    throw refuse(node, "over more than the last axis");
  }
  if ((node.outputs[1] ?? "") !== "" || (node.outputs[2] ?? "") !== "") {
    throw refuse(node, "gives means and deviations too");
  }
  const { layer, map, order } = rowsIn(chain, own, node);
  const pixels = map.height * map.width;
  const output = { height: pixels, width: 1, channels: count };
  const differences = (name: string) => ({
    ...pixelSum(`${node.name}/${name}`, layer, output),
    output,
    weights: Float64Array.from(
      { length: count * count },
      (_, at) => (Math.floor(at / count) === at % count ? 1 : 0) - 1 / count,
    ),
    bias: new Float64Array(count),
  });
  const squares = append(chain, {
    ...differences("squares"),
    elementwise: [elementwiseOperation("Mul", { from: 0 }, { from: 0 })],
  });
  const inverse = append(chain, {
    ...pixelSum(`${node.name}/inverse`, squares, output),
    output: { height: pixels, width: 1, channels: 1 },
    weights: new Float64Array(count).fill(1 / count),
    bias: new Float64Array(1).fill(epsilonOf(node)),
    elementwise: inverseRoot(epsilonOf(node)),
  });
  const right = append(chain, differences("differences"));
  const product = append(chain, {
    kind: "product",
    name: `${node.name}/product`,
    from: [inverse, right],
    input: { height: 1, width: pixels, channels: 1, strides: [pixels, 1, 1] },
    output,
    bias: new Float64Array(count),
    relu: false,
  });
  const result = append(chain, {
    kind: "affine",
    name: node.name,
    operator: node.operator,
    from: product,
    output,
    factor: Float64Array.from(scale.values),
    offset: Float64Array.from(offset?.values ?? new Float64Array(count)),
  });
  return likeRowsOf(own, { layer: result, shape: own.shape, order });
}

/** One over the root of a variance, which is not below ε. */
const inverseRoot = (epsilon: number): ElementwiseProgram => [
  elementwiseOperation("Max", { from: 0 }, { constant: epsilon }),
  elementwiseOperation("Sqrt", { from: 1 }),
  elementwiseOperation("Reciprocal", { from: 2 }),
];

/** Over the last axis. */
export const layerNormalization: Operator = {
  shape: sameShape,
  evaluate,
  read,
  isLayer: true,
  takesJoinedRows: true,
};
