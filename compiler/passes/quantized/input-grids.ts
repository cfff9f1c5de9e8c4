import type { MapView } from "../../integer/integer-maps";
import { fractionOf, invalid, type Quantizer } from "../../model/quantizer";
import { bitsFor, type Grid } from "./integer-layer";
import type { QuantizedLayer } from "./quantized-layers";

/** How the host puts inputs onto the model's own grid: `clamp(round(x / scale), min, max) − offset`. */
export interface InputQuantizer {
  readonly scale: number;
  readonly min: number;
  readonly max: number;
  /** Taken off, so that values fit a signed byte. */
  readonly offset: number;
}

/** Inputs pass the core's port as bytes. */
const mostInputBits = 8;
/** Of an input that nothing reads. */
const idle: InputQuantizer = { scale: 1, min: -128, max: 127, offset: 0 };

/**
 * What the host does to each value of a row: one for all of them, or one for each.
 *
 * @param quantizer Of the row: one grid for all values, or one for each; a scale of 0 where none was said.
 * @throws {AppError} `QUANTIZER_INVALID` for more than 256 values, and for another rounding than to the nearest.
 */
export function inputQuantizers(quantizer: Quantizer): InputQuantizer[] {
  if (quantizer.rounding !== "half-even") {
    throw invalid(quantizer, `rounds inputs by ${quantizer.rounding}; to the nearest is taken`);
  }
  return quantizer.scales.map((scale, at) => {
    const [min = 0, max = 0] = [quantizer.min[at], quantizer.max[at]];
    if (scale === 0) return idle;
    if (max - min < 2 ** mostInputBits) return { scale, min, max, offset: offsetOf(min, max) };
    throw invalid(quantizer, `gives inputs ${max - min + 1} values; at most 256 are taken`);
  });
}

/** Values are signed at the port: those that are not below 0, or above 127, are moved. */
function offsetOf(min: number, max: number): number {
  if (min < 0) return min >= -128 && max <= 127 ? 0 : min + 128;
  const bits = Math.max(2, bitsFor(0, max - min, false));
  return min + 2 ** (bits - 1);
}

export const isSameQuantizer = (a: InputQuantizer, b: InputQuantizer): boolean =>
  a.scale === b.scale && a.min === b.min && a.max === b.max;

/** Bits of an input at the port. */
export const inputBits = ({ min, max, offset }: InputQuantizer): number =>
  bitsFor(min - offset, max - offset, true);

/** The grids of a row as the core has them: one for all values, or one for each, all within the same bits. */
export function inputGrids(quantizers: readonly InputQuantizer[]): Grid[] {
  const width = Math.max(...quantizers.map(inputBits));
  return quantizers.map((each) => {
    const { scale, min, max, offset } = each;
    const own = { fraction: fractionOf(scale) ?? 0, min: min - offset, max: max - offset, offset };
    const bounds = { min: -(2 ** (width - 1)), max: 2 ** (width - 1) - 1 };
    return inputBits(each) === width ? own : { ...own, ...bounds };
  });
}

const isSame = (a: Grid, b: Grid): boolean =>
  a.fraction === b.fraction && a.offset === b.offset && a.min === b.min && a.max === b.max;

/** The one grid of the values of a row that a view shows; null where they have several. */
export function gridOfView(grids: readonly Grid[], view: MapView): Grid | null {
  const [first] = grids;
  if (!first || grids.length === 1) return first ?? null;
  const { first: begin = 0, height, width, channels, strides } = view;
  const seen: Grid[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < channels; c++) {
        const grid = grids[begin + y * strides[0] + x * strides[1] + c * strides[2]];
        if (grid) seen.push(grid);
      }
    }
  }
  const [own] = seen;
  return own && seen.every((grid) => isSame(grid, own)) ? own : null;
}

/**
 * Weights over values of several grids as weights over one: each takes the scale of the value that it multiplies, and the
 * bias takes the offsets.
 *
 * @param gridOf Of the value that a weight of an output multiplies.
 */
export function overOneGrid(
  { dense, ...layer }: QuantizedLayer,
  gridOf: (output: number, at: number) => Grid | undefined,
): { readonly layer: QuantizedLayer; readonly grid: Grid } {
  const { inputSize, weights } = dense;
  const grids = Array.from(weights, (_, place) => {
    const grid = gridOf(Math.floor(place / inputSize), place % inputSize);
    if (grid) return grid;
    throw new RangeError("A layer reads values of the row.");
  });
  const lowest = (pick: (grid: Grid) => number) =>
    grids.reduce((least, grid) => Math.min(least, pick(grid)), Number.POSITIVE_INFINITY);
  const fraction = lowest((grid) => grid.fraction);
  const bias = Float64Array.from(dense.bias);
  for (const [place, { fraction: own, offset }] of grids.entries()) {
    const output = Math.floor(place / inputSize);
    bias[output] = (bias[output] ?? 0) + (weights[place] ?? 0) * offset * 2 ** -own;
  }
  const scaled = weights.map(
    (each, place) => each * 2 ** (fraction - (grids[place]?.fraction ?? 0)),
  );
  return {
    layer: { ...layer, dense: { ...dense, weights: scaled, bias } },
    grid: { fraction, offset: 0, min: lowest(({ min }) => min), max: -lowest(({ max }) => -max) },
  };
}
