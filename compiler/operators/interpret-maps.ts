import type { RealTensor } from "../graph/real-tensor";
import { windowOf } from "../graph/window-of";
import type { MapShape, MapView } from "../integer/integer-maps";
import { eachTap } from "../integer/window";
import { numberOf, type OperatorContext, sizeOf, total } from "./interpret-shapes";

/** A tensor of `[rows, channels, height, width]`, or without height, as maps whose channels come first. */
function mapsOf({ shape }: RealTensor): { readonly rows: number; readonly view: MapView } {
  const [rows = 1, channels = 1, ...sizes] = shape;
  const [height = 1, width = 1] = sizes.length === 1 ? [1, sizes[0]] : sizes;
  return { rows, view: { height, width, channels, strides: [width, 1, height * width] } };
}

/** What each window sees, row after row: values of a channel, none for what lies outside. */
function windows(
  { node, input }: OperatorContext,
  kernel: readonly number[],
): {
  readonly rows: number;
  readonly view: MapView;
  readonly output: MapShape;
  readonly shape: readonly number[];
  readonly places: readonly (readonly number[])[];
} {
  const { rows, view } = mapsOf(input(0));
  const dimensions = input(0).shape.length - 2;
  const { window, height, width } = windowOf(node, view, kernel, dimensions);
  const output = { height, width, channels: view.channels };
  const places = Array.from({ length: height * width }, (_, pixel) => {
    const seen: number[] = [];
    eachTap({ input: view, output, window }, pixel, (place) => seen.push(place));
    return seen;
  });
  const shape = dimensions === 1 ? [width] : [height, width];
  return { rows, view, output, shape, places };
}

/** Conv in one or two dimensions. */
function convolution(context: OperatorContext): RealTensor {
  const { node, input, optional } = context;
  const kernel = input(1);
  const [channels = 1, inputs = 1, ...sizes] = kernel.shape;
  const { rows, view, shape, places } = windows(context, sizes);
  const groups = numberOf(node, "group", 1);
  const perGroup = channels / groups;
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

/** Each channel by itself: the largest value of each window, or the average. */
function pooled(
  context: OperatorContext,
  kernel: readonly number[],
  reduce: (values: readonly number[], size: number) => number,
): RealTensor {
  const { rows, view, shape, places } = windows(context, kernel);
  const { values } = context.input(0);
  const step = view.strides[2];
  const result = new Float64Array(rows * view.channels * places.length);
  let at = 0;
  for (let map = 0; map < rows * view.channels; map++) {
    for (const seen of places) {
      const inside = seen.filter((place) => place >= 0);
      const own = inside.map((place) => values[map * step + place] ?? 0);
      result[at++] = reduce(own, seen.length);
    }
  }
  return { shape: [rows, view.channels, ...shape], values: result };
}

const kernelOf = ({ node, input }: OperatorContext): readonly number[] => {
  const kernel = node.attributes["kernel_shape"];
  return Array.isArray(kernel) ? kernel.map(Number) : input(0).shape.slice(2);
};

function maxPool(context: OperatorContext): RealTensor {
  return pooled(context, kernelOf(context), (values) => Math.max(...values));
}

function averagePool(context: OperatorContext): RealTensor {
  const countsPadding = numberOf(context.node, "count_include_pad", 0) === 1;
  return pooled(
    context,
    kernelOf(context),
    (values, size) => total(values) / (countsPadding ? size : values.length),
  );
}

/** Inference only: the statistics are constants. */
function batchNormalization({ node, input }: OperatorContext): RealTensor {
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

/** Every operator here, by its name. */
export const mapOperators: Readonly<Record<string, (context: OperatorContext) => RealTensor>> = {
  Conv: convolution,
  MaxPool: maxPool,
  GlobalMaxPool: maxPool,
  AveragePool: averagePool,
  GlobalAveragePool: averagePool,
  BatchNormalization: batchNormalization,
};
