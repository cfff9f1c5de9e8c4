import { type ElementwiseProgram, evaluateElementwise } from "@/lib/common/elementwise";
import { boundsOf, dequantize, type FixedPoint, quantize } from "@/lib/common/fixed-point";
import { refuse } from "../graph/refuse";
import type { TableNode, Unplaced } from "../integer/integer-graph";
import { fractionFor } from "./quantize-weights";

/** Bits of what is looked up: a table of 2^10 entries fits two block RAMs of the smallest parts. */
const inputWidths = [8, 9, 10] as const;
/** Share of its span by which a function may be off between two entries, before a table gets another bit. */
const tolerance = 0.004;
/** How many times finer than what holds the whole range a grid may be, in bits: what it misses saturates. */
const mostExtra = 8;
/** Arguments across the range at which the error is looked at, besides those between two entries. */
const sampled = 256;

/** A layer's function of each value, with where it stands. */
export interface Looked {
  readonly name: string;
  readonly program: ElementwiseProgram;
  /** Magnitude of its arguments, from calibration. */
  readonly range: number;
  /** Arguments that calibration met; left out: any of the range may come. */
  readonly met?: readonly number[];
  /** Bits of its results. */
  readonly width: number;
}

/**
 * The grid on which a function's arguments are looked up: the one of least error over the range that calibration says,
 * in the fewest of 8 to 10 bits that keep it within 0.4 % of the function's span. A function that reaches its ends within
 * the range, such as tanh, saturates there.
 */
export function tableInput(looked: Looked): FixedPoint {
  const grids = inputWidths.map((width) => bestGrid(looked, width));
  const [chosen] = [...grids.filter(({ isFine }) => isFine), ...grids.slice(-1)];
  if (!chosen) throw new RangeError("There are widths.");
  return chosen.input;
}

/** The grid of least error that has so many bits. */
function bestGrid(looked: Looked, width: number) {
  // The upper bound may be missed by one step: what lies beyond it saturates.
  const coarsest = fractionFor(looked.range, 2 ** (width - 1));
  const grids = Array.from({ length: mostExtra + 1 }, (_, extra) => {
    const input: FixedPoint = { width, signed: true, fraction: coarsest + extra };
    return { input, ...errorOf(looked, input) };
  });
  return grids.reduce((best, grid) => (grid.error < best.error ? grid : best));
}

/**
 * The table of a function on a grid of arguments.
 *
 * @param wanted The format of its results; left out: the one that holds all of them best.
 * @throws {AppError} `OPERATOR_UNSUPPORTED` where the function is no number.
 */
export function tableNode(
  { name, program, width }: Looked,
  input: FixedPoint,
  size: number,
  wanted?: FixedPoint,
): Unplaced<TableNode> {
  const results = resultsOf(program, input);
  const bad = results.findIndex(Number.isNaN);
  if (bad >= 0) {
    const operator = program.at(-1)?.operator ?? "function";
    const argument = dequantize(signedOf(bad, input.width), input);
    throw refuse(
      { operator, name },
      `is no number at ${argument}, which the layer before it reaches`,
    );
  }
  const format = wanted ?? resultFormat(results, width);
  return {
    op: "table",
    name: `${name}/table`,
    size,
    inputWidth: input.width,
    inputSigned: true,
    values: results.map((value) => quantize(value, format)),
    ...format,
  };
}

/** Results of all patterns, from all zeros to all ones. */
function resultsOf(program: ElementwiseProgram, input: FixedPoint): number[] {
  return Array.from({ length: 2 ** input.width }, (_, pattern) =>
    evaluateElementwise(program, dequantize(signedOf(pattern, input.width), input)),
  );
}

const signedOf = (pattern: number, width: number): number =>
  pattern < 2 ** (width - 1) ? pattern : pattern - 2 ** width;

/** Whether some result on a grid of arguments is below 0. */
export const isSignedOn = ({ program }: Looked, input: FixedPoint): boolean =>
  resultsOf(program, input).some((value) => value < 0);

/** The largest magnitude of a result on a grid of arguments, of those that are finite, less the step that may be missed. */
export function largestOn({ program, width }: Looked, input: FixedPoint): number {
  const results = resultsOf(program, input);
  const bits = results.some((value) => value < 0) ? width - 1 : width;
  return largestOf(results) * (1 - 2 ** -bits);
}

const largestOf = (results: readonly number[]): number =>
  results.filter(Number.isFinite).reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Unsigned where nothing is below 0; infinite results saturate. The largest may be missed by one step. */
function resultFormat(results: readonly number[], width: number): FixedPoint {
  const signed = results.some((value) => value < 0);
  const largest = largestOf(results);
  return { width, signed, fraction: fractionFor(largest, 2 ** (signed ? width - 1 : width)) };
}

/**
 * The largest error of a table: over the arguments that calibration met, or over its range, half way between two entries
 * and where it saturates.
 */
function errorOf(
  { program, width, range, met }: Looked,
  input: FixedPoint,
): { error: number; isFine: boolean } {
  const results = resultsOf(program, input);
  const format = resultFormat(results, width);
  const answers = results.map((value) => dequantize(quantize(value, format), format));
  const exact = (x: number) => evaluateElementwise(program, x);
  const step = 2 ** -input.fraction;
  const { min, max } = boundsOf(input);
  let error = 0;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const look = (x: number) => {
    const wanted = exact(x);
    if (!Number.isFinite(wanted) || Math.abs(x) > range) return;
    [low, high] = [Math.min(low, wanted), Math.max(high, wanted)];
    const pattern = quantize(x, input) & (2 ** input.width - 1);
    error = Math.max(error, Math.abs((answers[pattern] ?? 0) - wanted));
  };
  for (const x of met ?? []) look(x);
  if (met) return { error, isFine: error <= tolerance * (high - low) + 2 ** -format.fraction };
  for (let entry = min; entry <= max; entry++) look((entry + 0.5) * step);
  for (let index = 0; index <= sampled; index++) look((index / sampled) * 2 * range - range);
  return { error, isFine: error <= tolerance * (high - low) + 2 ** -format.fraction };
}
