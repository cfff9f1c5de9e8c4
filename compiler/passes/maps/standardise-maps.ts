import { fail } from "@/lib/common/errors";
import { type FixedPoint, quantize } from "@/lib/common/fixed-point";
import { operandsOf } from "../../integer/integer-graph";
import {
  type ConvolutionLayer,
  type Layer,
  type MapModel,
  pixelWindow,
} from "../../model/maps/layers";
import { randomFrom } from "../../random";
import type { CalibrationRows, InputRange, Standardisation } from "../standardise";

/** Standardisation of a whole map at once: what the host does, and the same layers over what it sends. */
export interface StandardisedMaps {
  readonly standardisation: Standardisation;
  readonly layers: readonly Layer[];
}

const syntheticRows = 128;
const seed = 2026;
/** Where a card gives mean and deviation only, values beyond so many deviations saturate. */
const deviations = 4;

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly source: string;
}

/**
 * Settles one scale for all pixels: the values that are there fill the input's grid, and 0, which padding puts around
 * maps, lies on it exactly. Scales and offsets with which the model begins are done by the host too.
 *
 * @param rows Most rows to calibrate with.
 * @throws {AppError} `CARD_INVALID` when the card's lists do not have one entry per value.
 */
export function standardiseMaps(
  model: MapModel,
  format: FixedPoint,
  {
    range,
    given,
    rows: mostRows,
  }: {
    readonly range: InputRange | null;
    readonly given: CalibrationRows | null;
    readonly rows: number;
  },
): StandardisedMaps {
  const { inputSize, inputScale } = model;
  for (const key of ["min", "max", "mean", "std"] as const) {
    const list = range?.[key];
    if (list && list.length !== inputSize) {
      throw fail(
        "CARD_INVALID",
        `inputRange.${key} has ${list.length} entries, the model takes ${inputSize} values.`,
        { field: `model.card.inputRange.${key}`, hint: "Give one entry per value, row by row." },
      );
    }
  }
  const { factor, offset } = inputScale;
  const scaled = (value: number, at: number) => value * (factor[at] ?? 1) + (offset[at] ?? 0);
  const { low, high, source } = scaleOf(inputSize, { range, given }, scaled);
  const steps = 2 ** (format.width - 1) - 1;
  const step = (high - low) / 2 / steps || 2 ** -format.fraction;
  const zero = Math.round((low + high) / 2 / step);
  const deviation = step * 2 ** format.fraction;
  const mean = step * zero;

  const random = randomFrom(seed);
  const count = Math.min(mostRows, given ? given.count : syntheticRows);
  const rows = Array.from({ length: count }, (_, row) => {
    if (!given) return inventedRow(inputSize, random, { low, high }).map(toGrid);
    const first = row * given.width;
    return Float64Array.from({ length: inputSize }, (_, at) =>
      toGrid(scaled(given.values[first + at] ?? 0, at)),
    );
  });
  function toGrid(value: number): number {
    return (value - mean) / deviation;
  }
  return {
    standardisation: {
      mean: Array.from(factor, (each, at) => (mean - (offset[at] ?? 0)) / each),
      deviation: Array.from(factor, (each) => deviation / each),
      rows,
      rangeSource: source,
      rowsSource: given ? given.source : "synthetic input",
      synthetic: !given,
    },
    layers: overStandardised(model, { mean, deviation, outside: -zero * 2 ** -format.fraction }),
  };
}

/** The values that inputs take after the model's own scale, 0 among them. */
function scaleOf(
  size: number,
  { range, given }: { readonly range: InputRange | null; readonly given: CalibrationRows | null },
  scaled: (value: number, at: number) => number,
): Scale {
  const { min, max, mean, std } = range ?? {};
  const bounds = (lists: readonly (readonly number[])[], source: string): Scale => {
    let [low, high] = [0, 0];
    for (const list of lists) {
      for (const [at, value] of list.entries()) {
        low = Math.min(low, scaled(value, at));
        high = Math.max(high, scaled(value, at));
      }
    }
    return { low, high, source };
  };
  if (min && max) return bounds([min, max], "range of the model card, one scale for all values");
  if (mean && std) {
    const shifted = [-deviations, deviations].map((times) =>
      mean.map((value, at) => value + times * (std[at] ?? 0)),
    );
    return bounds(shifted, "mean and deviation of the model card, one scale for all values");
  }
  if (given && given.count > 0) {
    const rows = Array.from({ length: given.count }, (_, row) =>
      Array.from({ length: size }, (_, at) => given.values[row * given.width + at] ?? 0),
    );
    return bounds(rows, `${given.source}, one scale for all values`);
  }
  return { low: -deviations, high: deviations, source: "assumed: between −4 and 4" };
}

/** Noise and patches: what is next to each other is alike, as in images. */
function inventedRow(
  size: number,
  random: ReturnType<typeof randomFrom>,
  { low, high }: Pick<Scale, "low" | "high">,
): Float64Array {
  const draw = () => low + (high - low) * random.uniform();
  const row = new Float64Array(size).fill(draw());
  for (let patch = 0; patch < 12; patch++) {
    const first = random.integer(0, size - 1);
    row.fill(draw(), first, first + random.integer(1, Math.max(1, size >> 2)));
  }
  return row.map((value) => (random.integer(0, 3) === 0 ? draw() : value));
}

/** Layers that read the input take `mean + deviation · v` out of their sums; `outside` is where that is 0. */
function overStandardised(
  { layers, inputSize }: MapModel,
  scale: { readonly mean: number; readonly deviation: number; readonly outside: number },
): Layer[] {
  const readsInput = (layer: Layer) => operandsOf(layer).includes(-1);
  if (layers.every((layer) => !readsInput(layer) || layer.kind === "convolution")) {
    return layers.map((layer) =>
      readsInput(layer) && layer.kind === "convolution" ? folded(layer, scale) : layer,
    );
  }
  const map = { height: 1, width: 1, channels: inputSize };
  const first: ConvolutionLayer = {
    kind: "convolution",
    name: "input/scale",
    from: -1,
    input: { ...map, strides: [inputSize, inputSize, 1] },
    output: map,
    window: pixelWindow,
    groups: inputSize,
    weights: new Float64Array(inputSize).fill(1),
    bias: new Float64Array(inputSize),
    relu: false,
  };
  const next = layers.map((layer): Layer => {
    if (layer.kind === "add") return { ...layer, from: [layer.from[0] + 1, layer.from[1] + 1] };
    if (layer.kind === "concat") return { ...layer, from: layer.from.map((place) => place + 1) };
    return { ...layer, from: layer.from + 1 };
  });
  return [folded(first, scale), ...next];
}

function folded(
  layer: ConvolutionLayer,
  {
    mean,
    deviation,
    outside,
  }: { readonly mean: number; readonly deviation: number; readonly outside: number },
): ConvolutionLayer {
  const size = layer.weights.length / layer.output.channels;
  return {
    ...layer,
    weights: layer.weights.map((weight) => weight * deviation),
    bias: layer.bias.map((bias, channel) => {
      const own = layer.weights.subarray(channel * size, (channel + 1) * size);
      return own.reduce((sum, weight) => sum + weight * mean, bias);
    }),
    outside,
  };
}

/** A row of standardised values as the host sends it. */
export function toInput(row: ArrayLike<number>, format: FixedPoint): Int8Array {
  return Int8Array.from(row, (value) => quantize(value, format));
}
