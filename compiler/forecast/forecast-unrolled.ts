import type { DenseOutline } from "@/lib/common/contract";
import { type Precision, weightBitsOf } from "../precision";

export interface UnrolledSizes {
  readonly inputs: number;
  readonly layers: readonly DenseOutline[];
  readonly precision: Precision;
  /** Of the part. */
  readonly family: string;
  /** Block RAM that tables may take. */
  readonly ram: { readonly blocks: number; readonly blockBits: number };
}

export interface UnrolledGuess {
  readonly lut: number;
  readonly flipFlops: number;
  readonly bramBlocks: number;
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
const digitsPerWeight = [1, 1, 1, 1.06, 1.33, 1.6, 1.92, 2.2, 2.53] as const;
/** Bias and rounding, and saturation, of each layer; and a table behind it. */
const cyclesPerLayer = 2;
const cyclesPerTable = 1;
/** Bits of what is looked up, before calibration tells: 8 to 10. */
export const tableInputBits = 9;
/** Bits of a table that one logic cell replaces. */
const bitsPerCell = 20;

/** Guesses an unrolled core from sizes alone, as it is before anybody has read the weights. */
export function guessUnrolled(request: UnrolledSizes): UnrolledGuess {
  const { inputs, layers: outlines, precision, family } = request;
  const layers = outlines.map(({ outputs, weightBits, digits }, index) => {
    const bits = weightBits ?? weightBitsOf(precision, index);
    const count = outputs * (index === 0 ? inputs : (outlines[index - 1]?.outputs ?? 1));
    const usual = digitsPerWeight[bits] ?? bits / 3;
    // Of a quantised model the digits are known: as many weights as would usually have them.
    const weights = digits === undefined ? count : digits / usual;
    return { bits, weights, digitsPerOutput: (weights * usual) / Math.max(1, outputs) };
  });
  const count = layers.reduce((sum, { weights }) => sum + weights, 0);
  const scale = (reference / Math.max(1, count)) ** sharing;
  const total = ({ slope, offset }: Line) =>
    Math.ceil(
      layers.reduce((sum, { weights, bits }) => sum + weights * (slope * bits + offset), 0) * scale,
    );
  const tables = placedTables(request);
  return {
    lut: total(cellsPerWeight[family] ?? usualCellsPerWeight) + tables.lut,
    flipFlops: total(flipFlopsPerWeight),
    bramBlocks: tables.bramBlocks,
    cycles: layers.reduce(
      (sum, { digitsPerOutput }, index) =>
        sum +
        cyclesPerLayer +
        (outlines[index]?.table === null ? 0 : cyclesPerTable) +
        Math.ceil(Math.log2(Math.max(2, digitsPerOutput))),
      0,
    ),
  };
}

/** One table for each output behind which there is one: in block RAM if all of them fit. */
function placedTables({ layers, precision, ram }: UnrolledSizes): {
  readonly lut: number;
  readonly bramBlocks: number;
} {
  let [blocks, bits] = [0, 0];
  for (const { outputs, table, tableBits = tableInputBits } of layers) {
    if (table === null) continue;
    const own = 2 ** tableBits * precision.activationBits;
    blocks += outputs * Math.ceil(own / ram.blockBits);
    bits += outputs * own;
  }
  return blocks <= ram.blocks
    ? { lut: 0, bramBlocks: blocks }
    : { lut: Math.ceil(bits / bitsPerCell), bramBlocks: 0 };
}
