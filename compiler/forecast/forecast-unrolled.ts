import { weightBitsOf } from "../precision";

export interface UnrolledSizes {
  /** Inputs, then the outputs of every dense layer. */
  readonly sizes: readonly number[];
  readonly weightBits: readonly [number, ...number[]];
  /** Of the part. */
  readonly family: string;
}

export interface UnrolledGuess {
  readonly lut: number;
  readonly flipFlops: number;
  readonly cycles: number;
}

interface Line {
  readonly slope: number;
  readonly offset: number;
}

/** Relative errors of the guesses on the samples at 8, 6 and 4 bits; the weights are not known here. */
export const unrolledErrors = { cells: 0.25, cycles: 0.13 } as const;

/** Cells and flip-flops of a weight, at so many bits of it, in a net of 216 weights: `slope · bits + offset`. */
const cellsPerWeight: Readonly<Record<string, Line>> = {
  ice40: { slope: 3.7, offset: -3.1 },
  // `iris-mlp` at 8 bits, placed for an ECP5-25F with 22.5 cells a weight and for a GW2A-18 with 24.1; as many bits fewer
  // save as much as on other parts.
  ecp5: { slope: 3.17, offset: -2.36 },
  gowin: { slope: 3.33, offset: -2.46 },
};
const usualCellsPerWeight: Line = { slope: 2.7, offset: -2 };
const flipFlopsPerWeight: Line = { slope: 3.05, offset: -1.4 };
/** Larger layers have more to share: a net ten times as large takes 22 % less for a weight. */
const reference = 216;
const sharing = 0.11;
/** Nonzero signed digits of a weight that is not zero, by its bits. */
const digits = [1, 1, 1, 1.06, 1.33, 1.6, 1.92, 2.2, 2.53] as const;
/** Bias and rounding, and saturation, of each layer. */
const cyclesPerLayer = 2;

/** Guesses an unrolled core from sizes alone, as it is before anybody has read the weights. */
export function guessUnrolled({ sizes, weightBits, family }: UnrolledSizes): UnrolledGuess {
  const layers = sizes.slice(1).map((outputs, index) => {
    const inputs = sizes[index] ?? 1;
    return { inputs, weights: inputs * outputs, bits: weightBitsOf({ weightBits }, index) };
  });
  const count = layers.reduce((sum, { weights }) => sum + weights, 0);
  const scale = (reference / Math.max(1, count)) ** sharing;
  const total = ({ slope, offset }: Line) =>
    Math.ceil(
      layers.reduce((sum, { weights, bits }) => sum + weights * (slope * bits + offset), 0) * scale,
    );
  return {
    lut: total(cellsPerWeight[family] ?? usualCellsPerWeight),
    flipFlops: total(flipFlopsPerWeight),
    cycles: layers.reduce(
      (sum, { inputs, bits }) =>
        sum + cyclesPerLayer + Math.ceil(Math.log2(Math.max(2, inputs * (digits[bits] ?? 1)))),
      0,
    ),
  };
}
