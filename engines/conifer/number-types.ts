import type { ConiferEnsemble } from "./ensemble";
import type { Options } from "./options";

/** Bits of a fixed-point type, and those of them left of the point. */
export interface FixedType {
  readonly width: number;
  readonly integerBits: number;
}

/** Types of features and thresholds, and of scores, as the options say or the model needs. */
export function numberTypesOf(
  { trees, init_predict }: ConiferEnsemble,
  options: Options,
): { readonly feature: FixedType; readonly score: FixedType } {
  const all = trees.flat();
  const largest = Math.max(0, ...all.flatMap(({ threshold }) => threshold.map(Math.abs)));
  const sums = init_predict.map((base, score) =>
    trees.reduce((sum, tree) => sum + largestOf(tree[score]?.value), Math.abs(base)),
  );
  return {
    feature: { width: options.width, integerBits: options.integerBits ?? bitsFor(largest) },
    score: {
      width: options.scoreWidth,
      // Scores are multiplied by 1, which must be among their values.
      integerBits: options.scoreIntegerBits ?? Math.max(2, bitsFor(Math.max(...sums))),
    },
  };
}

const largestOf = (values: readonly number[] = []): number => Math.max(0, ...values.map(Math.abs));

/** Bits left of the point, with the sign, in which a value of this size is below the largest. */
const bitsFor = (size: number): number => (size === 0 ? 1 : Math.floor(Math.log2(size)) + 2);
