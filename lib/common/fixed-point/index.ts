import { fail } from "@/lib/common/errors";

/** A grid of `2^-fraction` steps held in `width` bits. `fraction` may be negative or exceed the width. */
export interface FixedPoint {
  readonly width: number;
  readonly fraction: number;
  readonly signed: boolean;
}

/** The smallest and largest integer of a format. */
export function boundsOf({ width, signed }: Pick<FixedPoint, "width" | "signed">): {
  min: number;
  max: number;
} {
  if (!Number.isInteger(width) || width < 1 || width > 32) {
    throw fail("FIXED_POINT_WIDTH", `A width of ${width} bits is not in 1..32.`);
  }
  return signed
    ? { min: -(2 ** (width - 1)), max: 2 ** (width - 1) - 1 }
    : { min: 0, max: 2 ** width - 1 };
}

/**
 * Rounds one finite real onto a grid: to nearest, ties to even, saturating at the bounds. NaN becomes 0.
 *
 * @returns An integer counted in grid steps: times 2^-fraction it is the value again.
 * @see IEEE 754-2019 §4.3.1, roundTiesToEven
 */
export function quantize(value: number, format: FixedPoint): number {
  const { min, max } = boundsOf(format);
  return Math.min(max, Math.max(min, nearestStep(value, format)));
}

/** The step that one real is nearest to, ties to even, on a grid without bounds. NaN becomes 0. */
export function nearestStep(value: number, { fraction }: Pick<FixedPoint, "fraction">): number {
  return roundToEven(value * 2 ** fraction) || 0;
}

/** The nearest integer, of two equally near ones the even one. */
export function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const above = value - floor;
  return above > 0.5 || (above === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

/** A grid of a quantised model: its values count steps of any positive scale, less an offset. */
export interface ModelGrid {
  readonly scale: number;
  /** Bounds before the offset is taken off. */
  readonly min: number;
  readonly max: number;
  readonly offset: number;
}

/**
 * Rounds one real onto a model's own grid, as ONNX's QuantizeLinear does: divided in float32, to nearest, ties to even.
 * NaN becomes what 0 becomes.
 *
 * @see https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html
 */
export function quantizeOnto(value: number, grid: ModelGrid): number {
  const { min, max, offset } = grid;
  return Math.min(max, Math.max(min, nearestStepOnto(value, grid))) - offset;
}

/** The step that one real is nearest to on a model's own grid without bounds, before the offset is taken off. */
export function nearestStepOnto(value: number, { scale }: Pick<ModelGrid, "scale">): number {
  return nearestStep(Math.fround(Math.fround(value) / scale), unscaled);
}

const unscaled = { fraction: 0 };

/** The real value of an integer on the grid. */
export function dequantize(integer: number, { fraction }: Pick<FixedPoint, "fraction">): number {
  return integer * 2 ** -fraction;
}
