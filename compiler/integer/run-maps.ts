import type {
  AddNode,
  ConcatNode,
  ConvolutionNode,
  MapNode,
  MaxPoolNode,
  ProductNode,
} from "./integer-maps";
import { productSums } from "./product-sums";
import { eachTap, placesSeen } from "./window";

type Values = ArrayLike<number>;

/**
 * Runs one node over feature maps.
 *
 * @param get The values of a node by its place, of the input for −1.
 * @throws {RangeError} when a sum leaves the width that its node declares.
 */
export function runMapNode(node: MapNode, get: (place: number) => Values): number[] {
  switch (node.op) {
    case "convolution":
      return runConvolution(node, get(node.from));
    case "max-pool":
      return runMaxPool(node, get(node.from));
    case "add":
      return runAdd(node, get(node.from[0]), get(node.from[1]));
    case "product":
      return runProduct(node, get(node.from[0]), get(node.from[1]));
    case "concat":
      return runConcat(node, node.from.map(get));
  }
}

function runConvolution(node: ConvolutionNode, values: Values): number[] {
  const { output, input, groups, weights, paddingValue, accumulatorWidth, name } = node;
  const limit = 2 ** (accumulatorWidth - 1);
  const inputs = input.channels / groups;
  const outputs = output.channels / groups;
  const [, , stride] = input.strides;
  const size = node.window.kernel[0] * node.window.kernel[1] * inputs;
  const result = new Array<number>(output.height * output.width * output.channels);
  for (let pixel = 0; pixel < output.height * output.width; pixel++) {
    const places = placesSeen(node, pixel);
    for (let channel = 0; channel < output.channels; channel++) {
      const first = Math.floor(channel / outputs) * inputs * stride;
      let sum = node.bias[channel] ?? 0;
      let weight = channel * size;
      for (const place of places) {
        for (let c = 0; c < inputs; c++, weight++) {
          const value = place < 0 ? paddingValue : (values[place + first + c * stride] ?? 0);
          sum += (weights[weight] ?? 0) * value;
        }
      }
      if (sum < -limit || sum >= limit) {
        throw new RangeError(`${name}: ${sum} does not fit ${accumulatorWidth} bits.`);
      }
      result[pixel * output.channels + channel] = sum;
    }
  }
  return result;
}

function runMaxPool(node: MaxPoolNode, values: Values): number[] {
  const { channels, height, width } = node.output;
  const [, , stride] = node.input.strides;
  const result = new Array<number>(height * width * channels).fill(node.paddingValue);
  for (let pixel = 0; pixel < height * width; pixel++) {
    eachTap(node, pixel, (place) => {
      if (place < 0) return;
      for (let c = 0; c < channels; c++) {
        const at = pixel * channels + c;
        result[at] = Math.max(result[at] ?? 0, values[place + c * stride] ?? 0);
      }
    });
  }
  return result;
}

function runAdd(node: AddNode, left: Values, right: Values): number[] {
  const { name, accumulatorWidth, factors: [first, second] = [1, 1], bias = 0 } = node;
  const limit = 2 ** (accumulatorWidth - 1);
  return Array.from(left, (value, at) => {
    const sum = first * value + second * (right[at] ?? 0) + bias;
    if (sum >= -limit && sum < limit) return sum;
    throw new RangeError(`${name}: ${sum} does not fit ${accumulatorWidth} bits.`);
  });
}

function runProduct(node: ProductNode, left: Values, right: Values): number[] {
  const { name, input, bias, accumulatorWidth } = node;
  const limit = 2 ** (accumulatorWidth - 1);
  const sums = Array.from(productSums(input, bias, left, right));
  const beyond = sums.find((sum) => sum < -limit || sum >= limit);
  if (beyond === undefined) return sums;
  throw new RangeError(`${name}: ${beyond} does not fit ${accumulatorWidth} bits.`);
}

function runConcat({ channels, output }: ConcatNode, maps: readonly Values[]): number[] {
  return Array.from({ length: output.height * output.width }, (_, pixel) =>
    maps.flatMap((map, index) => {
      const own = channels[index] ?? 0;
      return Array.from({ length: own }, (_, c) => map[pixel * own + c] ?? 0);
    }),
  ).flat();
}
