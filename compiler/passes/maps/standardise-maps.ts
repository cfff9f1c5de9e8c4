import { fail } from "@/lib/common/errors";
import { type FixedPoint, quantize } from "@/lib/common/fixed-point";
import { operandsOf } from "../../integer/integer-graph";
import { type InputSpan, inputSpansOf } from "../../model/input-spans";
import {
  type ConvolutionLayer,
  copyLayer,
  type Layer,
  type MapModel,
  movedTo,
  rowView,
} from "../../model/maps/layers";
import { randomFrom } from "../../random";
import {
  type CalibrationRows,
  type InputRange,
  type RangeFrom,
  rangeNames,
  type Standardisation,
} from "../standardise";

/** Standardisation of a whole map at once: what the host does, and the same layers over what it sends. */
export interface StandardisedMaps {
  readonly standardisation: Standardisation;
  readonly layers: readonly Layer[];
}

const syntheticRows = 128;
const seed = 2026;
/** Where a card gives mean and deviation only, values beyond so many deviations saturate. */
const deviations = 4;

/** The values that an input takes after the model's own scale. */
interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** How the values of an input are put onto its grid. */
interface Scale extends InputSpan, Bounds {
  readonly mean: number;
  readonly deviation: number;
  /** Where 0 lies on it. */
  readonly outside: number;
}

/**
 * Settles one scale for all values of an input: those that are there fill its grid, and 0, which padding puts around
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
    rangeFrom = "card",
    given,
    rows: mostRows,
  }: {
    readonly range: InputRange | null;
    readonly rangeFrom?: RangeFrom;
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
  const known = knownValues({ range, rangeFrom, given });
  const scales = inputSpansOf(model.inputs).map((span) =>
    scaleOf(span, boundsOf(span, known.values, scaled), format),
  );
  const perValue = spreadOver(scales);
  const { mean, deviation } = perValue;

  const random = randomFrom(seed);
  const count = Math.min(mostRows, given ? given.count : syntheticRows);
  const rows = Array.from({ length: count }, (_, row) => {
    if (!given) {
      const drawn = scales.flatMap((scale) => Array.from(inventedRow(scale, random)));
      return Float64Array.from(drawn, toGrid);
    }
    const first = row * given.width;
    return Float64Array.from({ length: inputSize }, (_, at) =>
      toGrid(scaled(given.values[first + at] ?? 0, at), at),
    );
  });
  function toGrid(value: number, at: number): number {
    return (value - (mean[at] ?? 0)) / (deviation[at] ?? 1);
  }
  return {
    standardisation: {
      mean: Array.from(factor, (each, at) => ((mean[at] ?? 0) - (offset[at] ?? 0)) / each),
      deviation: Array.from(factor, (each, at) => (deviation[at] ?? 1) / each),
      rows,
      rangeSource: scales.length > 1 ? `${known.source} of an input` : known.source,
      rowsSource: given ? given.source : "synthetic input",
      synthetic: !given,
    },
    layers: overStandardised(model, perValue),
  };
}

/** Rows between which the values of all inputs lie, and where they come from; none where nothing is known. */
function knownValues({
  range,
  rangeFrom,
  given,
}: {
  readonly range: InputRange | null;
  readonly rangeFrom: RangeFrom;
  readonly given: CalibrationRows | null;
}): { readonly values: readonly ArrayLike<number>[] | null; readonly source: string } {
  const { min, max, mean, std } = range ?? {};
  if (min && max) {
    return { values: [min, max], source: `${rangeNames[rangeFrom]}, one scale for all values` };
  }
  if (mean && std) {
    return {
      values: [-deviations, deviations].map((times) =>
        mean.map((value, at) => value + times * (std[at] ?? 0)),
      ),
      source: "mean and deviation of the model card, one scale for all values",
    };
  }
  if (given && given.count > 0) {
    const { count, width, values } = given;
    return {
      values: Array.from({ length: count }, (_, row) =>
        Array.from({ length: width }, (_, at) => values[row * width + at] ?? 0),
      ),
      source: `${given.source}, one scale for all values`,
    };
  }
  return { values: null, source: "assumed: between −4 and 4" };
}

/** Bounds of one input's values, 0 among them. */
function boundsOf(
  { first, size }: InputSpan,
  rows: readonly ArrayLike<number>[] | null,
  scaled: (value: number, at: number) => number,
): Bounds {
  if (!rows) return { low: -deviations, high: deviations };
  let [low, high] = [0, 0];
  for (const row of rows) {
    for (let at = first; at < first + size; at++) {
      low = Math.min(low, scaled(row[at] ?? 0, at));
      high = Math.max(high, scaled(row[at] ?? 0, at));
    }
  }
  return { low, high };
}

/** The scale whose grid has all of an input's values, and 0 on a step. */
function scaleOf(span: InputSpan, bounds: Bounds, format: FixedPoint): Scale {
  const { low, high } = bounds;
  const steps = 2 ** (format.width - 1) - 1;
  const step = (high - low) / 2 / steps || 2 ** -format.fraction;
  const zero = Math.round((low + high) / 2 / step);
  const deviation = step * 2 ** format.fraction;
  const outside = -zero * 2 ** -format.fraction;
  return { ...span, ...bounds, mean: step * zero, deviation, outside };
}

/** For each value of a row: the scale of its input. */
type PerValue = Readonly<Record<"mean" | "deviation" | "outside", Float64Array>>;

function spreadOver(scales: readonly Scale[]): PerValue {
  const spread = (key: keyof PerValue) =>
    Float64Array.from(scales.flatMap((scale) => Array<number>(scale.size).fill(scale[key])));
  return { mean: spread("mean"), deviation: spread("deviation"), outside: spread("outside") };
}

/** Noise and patches: what is next to each other is alike, as in images. */
function inventedRow(
  { size, low, high }: Scale,
  random: ReturnType<typeof randomFrom>,
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
function overStandardised({ layers, inputSize }: MapModel, scale: PerValue): Layer[] {
  const readsInput = (layer: Layer) => operandsOf(layer).includes(-1);
  if (layers.every((layer) => !readsInput(layer) || layer.kind === "convolution")) {
    return layers.map((layer) =>
      readsInput(layer) && layer.kind === "convolution" ? folded(layer, scale) : layer,
    );
  }
  const first = copyLayer("input/scale", -1, rowView(0, inputSize));
  const next = layers.map((layer) => movedTo(layer, (place) => place + 1));
  return [folded(first, scale), ...next];
}

function folded(layer: ConvolutionLayer, { mean, deviation, outside }: PerValue): ConvolutionLayer {
  const { input, output, groups } = layer;
  const { first = 0 } = input;
  const inputs = input.channels / groups;
  const size = layer.weights.length / output.channels;
  const isPixel = input.height === 1 && input.width === 1;
  /** The value of the row that a weight is multiplied with; of a map, one of the same scale. */
  const placeOf = (channel: number, at: number) => {
    const group = Math.floor((channel * groups) / output.channels);
    return isPixel ? first + (group * inputs + (at % inputs)) * input.strides[2] : first;
  };
  return {
    ...layer,
    weights: layer.weights.map(
      (weight, at) => weight * (deviation[placeOf(Math.floor(at / size), at % size)] ?? 1),
    ),
    bias: layer.bias.map((bias, channel) => {
      const own = layer.weights.subarray(channel * size, (channel + 1) * size);
      return own.reduce(
        (sum, weight, at) => sum + weight * (mean[placeOf(channel, at)] ?? 0),
        bias,
      );
    }),
    outside: outside[first] ?? 0,
  };
}

/** A row of standardised values as the host sends it. */
export function toInput(row: ArrayLike<number>, format: FixedPoint): Int8Array {
  return Int8Array.from(row, (value) => quantize(value, format));
}
