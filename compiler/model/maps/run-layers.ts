import { evaluateElementwise } from "@/lib/common/elementwise";
import { productSums } from "../../integer/product-sums";
import { eachTap, placesSeen } from "../../integer/window";
import type {
  ConvolutionLayer,
  Layer,
  MapModel,
  MaxPoolLayer,
  ProductLayer,
  RawLayer,
} from "./layers";

type Values = ArrayLike<number>;

/** Values of every layer, for one row, in double precision. */
export function runLayers(layers: MapModel["layers"], row: Values): Float64Array[] {
  return runWithSums(layers, row).map(({ values }) => values);
}

/** The same, beside what each layer's function is taken of; without a function they are one. */
export function runWithSums(
  layers: MapModel["layers"],
  row: Values,
): { readonly sums: Float64Array; readonly values: Float64Array }[] {
  const results: { sums: Float64Array; values: Float64Array }[] = [];
  const get = (place: number): Values => (place < 0 ? row : (results[place]?.values ?? []));
  for (const layer of layers) {
    const sums = runLayer(layer, get);
    const program = "elementwise" in layer ? layer.elementwise : undefined;
    const values = program ? sums.map((sum) => evaluateElementwise(program, sum)) : sums;
    results.push({ sums, values });
  }
  return results;
}

function runLayer(layer: Layer, get: (place: number) => Values): Float64Array {
  switch (layer.kind) {
    case "convolution":
      return runConvolution(layer, get(layer.from));
    case "max-pool":
      return runMaxPool(layer, get(layer.from));
    case "add": {
      const right = get(layer.from[1]);
      return Float64Array.from(get(layer.from[0]), (value, at) => {
        const sum = value + (right[at] ?? 0);
        return layer.relu ? Math.max(0, sum) : sum;
      });
    }
    case "product":
      return runProduct(layer, get(layer.from[0]), get(layer.from[1]));
    case "concat": {
      const maps = layer.from.map(get);
      const { height, width, channels } = layer.output;
      const result = new Float64Array(height * width * channels);
      let to = 0;
      for (let pixel = 0; pixel < height * width; pixel++) {
        for (const [index, own] of layer.channels.entries()) {
          for (let c = 0; c < own; c++, to++) result[to] = maps[index]?.[pixel * own + c] ?? 0;
        }
      }
      return result;
    }
  }
}

function runConvolution(layer: ConvolutionLayer, values: Values): Float64Array {
  const { output, input, groups, weights, bias, relu, outside = 0 } = layer;
  const inputs = input.channels / groups;
  const outputs = output.channels / groups;
  const stride = input.strides[2];
  const size = weights.length / output.channels;
  const result = new Float64Array(output.height * output.width * output.channels);
  for (let pixel = 0; pixel < output.height * output.width; pixel++) {
    const places = placesSeen(layer, pixel);
    for (let channel = 0; channel < output.channels; channel++) {
      const first = Math.floor(channel / outputs) * inputs * stride;
      let sum = bias[channel] ?? 0;
      let weight = channel * size;
      for (const place of places) {
        for (let c = 0; c < inputs; c++, weight++) {
          const value = place < 0 ? outside : (values[place + first + c * stride] ?? 0);
          sum += (weights[weight] ?? 0) * value;
        }
      }
      result[pixel * output.channels + channel] = relu ? Math.max(0, sum) : sum;
    }
  }
  return result;
}

function runProduct({ input, bias, relu }: ProductLayer, left: Values, right: Values) {
  const sums = productSums(input, bias, left, right);
  return Float64Array.from(sums, (sum) => (relu ? Math.max(0, sum) : sum));
}

function runMaxPool(layer: MaxPoolLayer, values: Values): Float64Array {
  const { channels, height, width } = layer.output;
  const stride = layer.input.strides[2];
  const result = new Float64Array(height * width * channels).fill(Number.NEGATIVE_INFINITY);
  for (let pixel = 0; pixel < height * width; pixel++) {
    eachTap(layer, pixel, (place) => {
      if (place < 0) return;
      for (let c = 0; c < channels; c++) {
        const at = pixel * channels + c;
        result[at] = Math.max(result[at] ?? 0, values[place + c * stride] ?? 0);
      }
    });
  }
  return result;
}

/** Multiplications that one row takes. */
export function productsOf(layers: readonly RawLayer[]): number {
  return layers.reduce((total, layer) => {
    const { height, width, channels } = layer.output;
    if (layer.kind === "product") return total + height * width * channels * layer.input.channels;
    return total + (layer.kind === "convolution" ? height * width * layer.weights.length : 0);
  }, 0);
}
