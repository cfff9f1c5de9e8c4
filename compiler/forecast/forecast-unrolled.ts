import type { FamilyCosts } from "@/boards";
import type { DenseOutline } from "@/lib/common/contract";
import { type Precision, weightBitsOf } from "../passes/precision";

export interface UnrolledSizes {
  readonly inputs: number;
  readonly layers: readonly DenseOutline[];
  /** Of a model that brings its own bits. */
  readonly quantized?: { readonly inputBits: number; readonly outputBits: number } | undefined;
  readonly precision: Precision;
  /** Of the part. */
  readonly costs: FamilyCosts;
  /** Block RAM that tables may take. */
  readonly ram: { readonly blocks: number; readonly blockBits: number };
}

export interface UnrolledGuess {
  readonly lut: number;
  readonly flipFlops: number;
  readonly bramBlocks: number;
  readonly cycles: number;
}

/** Relative errors of the guesses on unrolled samples at 3 to 8 bits of weights: nine of ten are within them. */
export const unrolledErrors = { cells: 0.15, cycles: 0.07 } as const;

const flipFlopCost: FamilyCosts["digit"] = { cells: 12.8, growth: 0.8 };
/** Nets with more digits have more to share: cells grow as this power of them. */
const sharing = 0.945;
/** Cells and flip-flops of counters and handshakes. */
const controlCells = 80;
/** From the row to its place, and from the last register to the answer. */
const cyclesAround = 2;
/** Of weights: where lists by bits begin. */
const fewestBits = 2;
/** Bits of what is looked up, before calibration tells: 8 to 10. */
export const tableInputBits = 9;
/** Bits of a table that one logic cell replaces. */
const bitsPerCell = 20;

/** Guesses an unrolled core from what is known of a model when it is read. */
export function guessUnrolled(request: UnrolledSizes): UnrolledGuess {
  const { inputs, layers: outlines, quantized, precision, costs } = request;
  const layers = outlines.map((outline, index) => {
    const size = index === 0 ? inputs : (outlines[index - 1]?.outputs ?? 1);
    const bits = outline.weightBits ?? weightBitsOf(precision, index);
    const digits = atBits(outline.digits, bits) ?? outline.outputs * size * usualDigits(bits);
    return {
      digits,
      levels:
        atBits(outline.levels, bits) ?? usualLevels(outline, digits, index === outlines.length - 1),
      valueBits:
        index === 0 ? (quantized?.inputBits ?? precision.inputBits) : precision.activationBits,
    };
  });
  const total = (of: (layer: (typeof layers)[number]) => number) =>
    layers.reduce((sum, layer) => sum + of(layer), 0);
  const digits = Math.max(
    1,
    total((layer) => layer.digits),
  );
  const valueBits = total((layer) => layer.digits * layer.valueBits) / digits;
  const scores = (outlines.at(-1)?.outputs ?? 0) * (quantized?.outputBits ?? 16);
  const held = 8 * inputs + scores + controlCells;
  const cells = ({ cells: perDigit, growth }: FamilyCosts["digit"]) =>
    Math.ceil(perDigit * digits ** sharing * (valueBits / 8) ** growth) + held;
  const tables = placedTables(request);
  return {
    lut: cells(costs.digit) + tables.lut,
    flipFlops: cells(flipFlopCost),
    bramBlocks: tables.bramBlocks,
    cycles: cyclesAround + total((layer) => layer.levels),
  };
}

/** A figure of a layer at so many bits of its weights, where its outline has it. */
const atBits = (figures: DenseOutline["digits"], bits: number): number | undefined =>
  typeof figures === "object" ? figures[bits - fewestBits] : figures;

/** Signed digits of a weight that are not 0, on average: nearly each third one. */
const usualDigits = (bits: number) => bits / 3 - 1 / 6;

/** How much more digits than on average the row of a layer has that has most. */
const widestRow = 1.2;

/** Of an outline that was made before levels were told: adders, what clamps hidden values, and a table. */
function usualLevels({ outputs, table }: DenseOutline, digits: number, isLast: boolean): number {
  const widest = (digits / Math.max(1, outputs)) * widestRow;
  const after = table === null ? 0 : 1;
  return Math.ceil(Math.log2(widest + 1)) + (isLast && table === null ? 0 : 1) + after;
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
