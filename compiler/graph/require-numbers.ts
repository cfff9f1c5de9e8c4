import { refuseModel } from "./refuse";

interface Weighted {
  readonly name: string;
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

/**
 * Weights of legal files are numbers, but what becomes of them where scales are merged, or something is divided by a
 * variance of 0, may be none.
 *
 * @throws {AppError} `MODEL_UNSUPPORTED`
 */
export function requireFiniteWeights(layers: readonly Weighted[]): void {
  const bad = layers.find(
    ({ weights, bias }) => !weights.every(Number.isFinite) || !bias.every(Number.isFinite),
  );
  if (bad)
    throw refuseModel(
      `With its scales merged, layer "${bad.name}" has weights that are no numbers.`,
    );
}

/**
 * @param ranges By layer: the magnitude that its values have to hold.
 * @throws {AppError} `MODEL_UNSUPPORTED`
 */
export function requireFiniteRanges(
  layers: readonly { readonly name: string }[],
  ranges: readonly number[],
): void {
  const bad = ranges.findIndex((range) => !Number.isFinite(range));
  if (bad < 0) return;
  throw refuseModel(
    `The values behind layer "${layers[bad]?.name}" are no finite numbers for all rows, so no grid holds them.`,
  );
}
