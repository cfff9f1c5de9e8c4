import { bitLength } from "./range";
import { signedDigits } from "./signed-digits";

/** A dense layer of integers, as far as its adders depend on it. */
export interface AdderLayer {
  readonly inputSize: number;
  readonly outputSize: number;
  /** Row-major by output. */
  readonly weights: ArrayLike<number>;
  readonly hasTable: boolean;
}

/** What adders of every weight of a layer come to. */
export interface AdderCount {
  /** Signed digits of all weights that are not 0. */
  readonly digits: number;
  /** Adders one after the other, with what clamps the sums and the table behind them. */
  readonly levels: number;
}

/**
 * Counts the adders of dense layers in a row without making them, each row summed as early as its digits allow. Which adders
 * are shared is left to chance when they are made: of 108 unrolled nets on two families, 87 have as many levels as are
 * counted here, and all others but one have one more.
 */
export function countAdders(layers: readonly AdderLayer[]): AdderCount[] {
  // A tree of adders is as full as the sum of 2^level over its leaves; 0 stands for values that are the same in every row.
  let fullness: readonly number[] = Array<number>(layers[0]?.inputSize ?? 0).fill(1);
  const counted = layers.map((layer, index) => {
    const { inputSize, outputSize, weights, hasTable } = layer;
    let digits = 0;
    const loads = Array.from({ length: outputSize }, (_, output) => {
      let load = 0;
      for (let input = 0; input < inputSize; input++) {
        const count = digitsOf(weights[output * inputSize + input] ?? 0);
        digits += count;
        load += count * (fullness[input] ?? 0);
      }
      return load;
    });
    const isLast = index === layers.length - 1;
    const deepest = bitLength(Math.max(0, ...loads));
    // Hidden values are clamped, and so is what is looked up; scores seldom reach their bounds.
    const isClamped = hasTable || !isLast;
    const after = (isClamped ? 1 : 0) + (hasTable ? 1 : 0);
    fullness = loads.map((load) => (load === 0 ? 0 : 2 ** (bitLength(load) + after)));
    return { digits, end: deepest + after };
  });
  // A layer whose weights are 0 is there at once, and nothing waits for those before it.
  const ends = counted.map((_, index) => Math.min(...counted.slice(index).map(({ end }) => end)));
  return counted.map(({ digits }, index) => ({
    digits,
    levels: (ends[index] ?? 0) - (ends[index - 1] ?? 0),
  }));
}

const counts: number[] = [];

function digitsOf(weight: number): number {
  const magnitude = Math.abs(weight);
  counts[magnitude] ??= signedDigits(magnitude).length;
  return counts[magnitude] ?? 0;
}
