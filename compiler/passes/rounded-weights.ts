import { type DenseLayer, runDenseNetwork } from "../model/dense-network";
import { clippedFraction, plainFraction, quantizeWeights } from "./quantize-weights";

/** Rows that decide whether clipping helps: few decide as all do in four layers of five, and otherwise it matters little. */
const trialRows = 16;

/** A layer's weights on the grid of each of its outputs: as integers, and as a layer of floats. */
interface Rounded {
  readonly integers: readonly number[];
  readonly layer: DenseLayer;
}

/**
 * The integers that weights become, as far as they can be known before anybody gave rows: each output has the grid that
 * fits its weights, and a layer's largest ones are clipped where the scores come closer by it, as in `quantizeNetwork`.
 *
 * @param rows Standardised; a few are looked at.
 * @returns By bits of the weights: the weights of each layer, row-major by output.
 */
export function weightRounding(
  layers: readonly DenseLayer[],
  rows: readonly Float64Array[],
): (bits: number) => readonly (readonly number[])[] {
  const some = rows.slice(0, trialRows);
  const scoresOf = (net: readonly DenseLayer[]) =>
    some.flatMap((row) => [...(runDenseNetwork(net, row).at(-1) ?? [])]);
  const scores = scoresOf(layers);
  const errorOf = (net: readonly Rounded[]) =>
    scoresOf(net.map(({ layer }) => layer)).reduce(
      (sum, score, index) => sum + (score - (scores[index] ?? 0)) ** 2,
      0,
    );
  return (bits) => {
    const plain = layers.map((layer) => fractionsOf(layer, bits, plainFraction));
    let best = layers.map((layer, index) => rounded(layer, bits, plain[index] ?? []));
    let least: number | null = null;
    for (const [index, layer] of layers.entries()) {
      const clipped = fractionsOf(layer, bits, clippedFraction);
      if (clipped.every((fraction, output) => fraction === plain[index]?.[output])) continue;
      least ??= errorOf(best);
      const trial = best.with(index, rounded(layer, bits, clipped));
      const error = errorOf(trial);
      if (error < least) [best, least] = [trial, error];
    }
    return best.map(({ integers }) => integers);
  };
}

/** The grid of each output's weights. */
function fractionsOf(
  { weights, inputSize, outputSize }: DenseLayer,
  bits: number,
  fractionOf: (weights: Float64Array, bits: number) => number,
): number[] {
  return Array.from({ length: outputSize }, (_, output) =>
    fractionOf(weights.subarray(output * inputSize, (output + 1) * inputSize), bits),
  );
}

function rounded(layer: DenseLayer, bits: number, fractions: readonly number[]): Rounded {
  const { inputSize } = layer;
  const integers: number[] = [];
  const weights = new Float64Array(layer.weights.length);
  for (const fraction of fractions) {
    const channel = layer.weights.subarray(integers.length, integers.length + inputSize);
    const scale = 2 ** fraction;
    for (const integer of quantizeWeights(channel, fraction, bits)) {
      weights[integers.length] = integer / scale;
      integers.push(integer);
    }
  }
  return { integers, layer: { ...layer, weights } };
}
