import type { GraphConstant } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { windowOf } from "../graph/window-of";
import { append, type NodeView, needConstant } from "../model/maps/chain";
import { newValue, type Value, viewOf } from "../model/maps/value";
import { type Evaluation, numberOf, type Operator, sizeOf } from "./operator";
import { imageShape, windowsOf } from "./windows";

function evaluate(context: Evaluation): RealTensor {
  const { node, input, optional } = context;
  const kernel = input(1);
  const [channels = 1, inputs = 1, ...sizes] = kernel.shape;
  const { rows, view, shape, places } = windowsOf(context, sizes);
  const perGroup = channels / numberOf(node, "group", 1);
  const taps = sizeOf(sizes);
  const { values } = input(0);
  const perRow = sizeOf(input(0).shape.slice(1));
  const step = view.strides[2];
  const bias = optional(2);
  const result = new Float64Array(rows * channels * places.length);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let output = 0; output < channels; output++) {
      const first = row * perRow + Math.floor(output / perGroup) * inputs * step;
      for (const seen of places) {
        let sum = bias?.values[output] ?? 0;
        for (let c = 0; c < inputs; c++) {
          for (let tap = 0; tap < taps; tap++) {
            const place = seen[tap] ?? -1;
            if (place < 0) continue;
            const weight = kernel.values[(output * inputs + c) * taps + tap] ?? 0;
            sum += weight * (values[first + c * step + place] ?? 0);
          }
        }
        result[at++] = sum;
      }
    }
  }
  return { shape: [rows, channels, ...shape], values: result };
}

/** In one or two dimensions, in groups or not. */
function read(view: NodeView): Value {
  const { node, chain, value, constant } = view;
  const own = value(0);
  const matrix = needConstant(view, 1);
  const [channels = 0, inputs = 0, ...kernel] = matrix.shape;
  const dimensions = kernel.length;
  const input = viewOf(own, node);
  const groups = numberOf(node, "group", 1);
  if (dimensions !== own.shape.length - 1 || input.channels !== inputs * groups) {
    throw refuse(
      node,
      `has weights of shape [${matrix.shape.join(", ")}] for [batch, ${own.shape.join(", ")}]`,
    );
  }
  const bias = node.inputs[2] ? constant(2) : null;
  if (node.inputs[2] && !bias) throw refuse(node, "needs a constant bias");
  const placed = windowOf(node, input, kernel, dimensions);
  const output = { height: placed.height, width: placed.width, channels };
  const layer = append(chain, {
    kind: "convolution",
    name: node.name,
    from: own.layer,
    input,
    output,
    window: placed.window,
    groups,
    weights: channelsLast(matrix, sizeOf(kernel)),
    bias: Float64Array.from({ length: channels }, (_, at) => bias?.values[at] ?? 0),
    relu: false,
  });
  return newValue(layer, output, imageShape(channels, placed, dimensions));
}

/** ONNX has the weights of one input channel together, layers those of one place. */
function channelsLast({ shape, values }: GraphConstant, taps: number): Float64Array {
  const [channels = 0, inputs = 0] = shape;
  const weights = new Float64Array(values.length);
  for (let output = 0; output < channels; output++) {
    for (let c = 0; c < inputs; c++) {
      for (let tap = 0; tap < taps; tap++) {
        const from = (output * inputs + c) * taps + tap;
        weights[(output * taps + tap) * inputs + c] = values[from] ?? 0;
      }
    }
  }
  return weights;
}

export const conv: Operator = { evaluate, read, isLayer: true };
