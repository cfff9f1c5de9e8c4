import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { type NodeView, needConstant } from "../model/maps/chain";
import { stridesOf, type Value } from "../model/maps/value";
import { affine } from "./affine";
import { type Evaluation, numberOf, type Operator, sameShape, sizeOf } from "./operator";

/** Inference only: the statistics are constants. */
function evaluate({ node, input }: Evaluation): RealTensor {
  const { shape, values } = input(0);
  const [scale, bias, mean, variance] = [1, 2, 3, 4].map((index) => input(index).values);
  const epsilon = numberOf(node, "epsilon", 1e-5);
  const inner = sizeOf(shape.slice(2));
  const channels = shape[1] ?? 1;
  return {
    shape,
    values: Float64Array.from(values, (value, at) => {
      const c = Math.floor(at / inner) % channels;
      const deviation = Math.sqrt((variance?.[c] ?? 1) + epsilon);
      return ((value - (mean?.[c] ?? 0)) / deviation) * (scale?.[c] ?? 1) + (bias?.[c] ?? 0);
    }),
  };
}

/** `scale · (x − mean) / √(variance + ε) + bias` for each channel, the first dimension after the batch. */
function read(view: NodeView): Value {
  const { node, value } = view;
  const own = value(0);
  const [channels = 0] = own.shape;
  if (numberOf(node, "training_mode", 0) !== 0 || node.outputs.length > 1) {
    throw refuse(node, "is of a model that still learns");
  }
  const [scale, bias, mean, variance] = [1, 2, 3, 4].map((at) => {
    const { values } = needConstant(view, at);
    if (values.length !== channels) throw refuse(node, `needs ${channels} constants of each kind`);
    return values;
  });
  const epsilon = numberOf(node, "epsilon", 1e-5);
  const perChannel = stridesOf(own.shape)[0] ?? 1;
  const factor = new Float64Array(own.order.length);
  const offset = new Float64Array(own.order.length);
  for (const at of own.order.keys()) {
    const channel = Math.floor(at / perChannel);
    const gain = (scale?.[channel] ?? 1) / Math.sqrt((variance?.[channel] ?? 1) + epsilon);
    factor[at] = gain;
    offset[at] = (bias?.[channel] ?? 0) - gain * (mean?.[channel] ?? 0);
  }
  if (!factor.every(Number.isFinite)) throw refuse(node, "divides by zero");
  return affine(view, own, { factor, offset });
}

export const batchNormalization: Operator = { shape: sameShape, evaluate, read };
