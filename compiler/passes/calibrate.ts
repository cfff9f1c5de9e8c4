import { type DenseLayer, runDenseNetwork, sumDenseLayer } from "../model/dense-network";

/** Share of hidden activations that must fit their grid; the rest saturates. */
const kept = 0.999;
/** Room above the largest score seen: scores that saturate would be wrong, and 16 bits are plenty. */
const scoreHeadroom = 2;
/** Made-up rows lack the correlations of real ones, so real activations go further. */
const syntheticHeadroom = 2;
/** Arguments of one function that are looked at. */
const mostMet = 512;

/**
 * The magnitude that each layer's values must hold, or the arguments of its function where it has one, from running the
 * rows in floating point: the 99.9 percentile for hidden layers, twice the largest for the last.
 */
export function calibrate(
  layers: readonly DenseLayer[],
  rows: readonly ArrayLike<number>[],
  { synthetic }: { readonly synthetic: boolean },
): number[] {
  const magnitudes: number[][] = layers.map(() => []);
  for (const row of rows) {
    const results = runDenseNetwork(layers, row);
    for (const [layer, result] of results.entries()) {
      const own = layers[layer];
      const values = own?.elementwise ? sumDenseLayer(own, results[layer - 1] ?? row) : result;
      for (const value of values) magnitudes[layer]?.push(Math.abs(value));
    }
  }
  return heldMagnitudes(magnitudes, synthetic);
}

/**
 * The magnitude that must be held of each layer's values: the 99.9 percentile for hidden layers, twice the largest for the
 * last; twice as much where rows are made up.
 */
export function heldMagnitudes(magnitudes: readonly number[][], synthetic: boolean): number[] {
  const room = synthetic ? syntheticHeadroom : 1;
  return magnitudes.map((values, layer) => {
    const sorted = Float64Array.from(values).sort();
    if (layer === magnitudes.length - 1) return room * scoreHeadroom * (sorted.at(-1) ?? 0);
    return room * (sorted[Math.ceil(kept * sorted.length) - 1] ?? 0);
  });
}

/** Some arguments of a function, from the least to the largest in even steps of rank; those of made-up rows go twice as far too. */
export function metArguments(all: readonly number[], synthetic: boolean): number[] {
  const sorted = Float64Array.from(all).sort();
  const count = Math.min(mostMet, sorted.length);
  const met = Array.from({ length: count }, (_, at) => {
    const rank = (at * (sorted.length - 1)) / Math.max(1, count - 1);
    return sorted[Math.floor(rank)] ?? 0;
  });
  return synthetic ? [...met, ...met.map((each) => syntheticHeadroom * each)] : met;
}
