import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { firstHead } from "../model/head";
import type { NodeView } from "../model/maps/chain";
import { dimensionsBefore, type Value } from "../model/maps/value";
import { along } from "./along";
import { axisOf, type Evaluation, numberOf, type Operator, sameShape } from "./operator";
import { softmaxOfRows } from "./softmax-layers";

/** Up to opset 12, over all dimensions from the axis on; later over the axis alone. */
function evaluate({ node, opset, input }: Evaluation): RealTensor {
  const { shape, values } = input(0);
  const isOld = opset < 13;
  const whole = along(shape, axisOf(node, shape.length, isOld ? 1 : -1));
  const { outer, length, inner } = isOld
    ? { outer: whole.outer, length: whole.length * whole.inner, inner: 1 }
    : whole;
  const result = new Float64Array(values.length);
  for (let line = 0; line < outer * inner; line += 1) {
    const start = Math.floor(line / inner) * length * inner + (line % inner);
    let largest = -Infinity;
    for (let step = 0; step < length; step += 1) {
      largest = Math.max(largest, values[start + step * inner] ?? 0);
    }
    let sum = 0;
    for (let step = 0; step < length; step += 1) {
      const index = start + step * inner;
      const power = Math.exp((values[index] ?? 0) - largest);
      result[index] = power;
      sum += power;
    }
    for (let step = 0; step < length; step += 1) {
      const index = start + step * inner;
      result[index] = (result[index] ?? 0) / sum;
    }
  }
  return { shape, values: result };
}

/** Between layers: over the last dimension. */
function read({ node, value, chain }: NodeView): Value {
  const own = value(0);
  const rank = own.shape.length + dimensionsBefore(own);
  const axis = axisOf(node, rank, chain.graph.opset < 13 ? 1 : -1);
  if (axis !== rank - 1) {
    throw refuse(node, `over axis ${axis} of [batch, ${own.shape.join(", ")}]`);
  }
  return softmaxOfRows(chain, own, node);
}

export const softmax: Operator = {
  shape: sameShape,
  evaluate,
  read,
  takesJoinedRows: true,
  beginsHead: true,
  head: (view) => {
    const { graph, node, shape } = view;
    const axis = numberOf(node, "axis", graph.opset < 13 ? 1 : -1);
    if (shape.length !== 1 || (axis !== 1 && axis !== -1)) {
      throw refuse(node, `over axis ${axis} of [batch, ${shape.join(", ")}]`);
    }
    return firstHead(view, "softmax");
  },
};
