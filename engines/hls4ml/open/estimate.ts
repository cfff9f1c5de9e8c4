import type { BoardModel } from "@/boards";
import { shellCells, usableCells } from "@/compiler/forecast";
import type { AdderCount } from "./adder-outline";

/**
 * The share of the compiler's own cores' clock at which da4ml's networks are first tried. With two adders between registers, whole
 * designs reached 108 and 86 MHz on an HX8K and 125 MHz on an ECP5-25F, beside 90 and 100 MHz that are believed of ours.
 */
export const adderClockShare = 0.8;

/** What a network of adders will take, by the digits of its weights alone. */
export interface AdderEstimate {
  readonly lut: number;
  readonly ff: number;
  readonly stages: number;
}

/** Bits of da4ml's adders for each signed digit of a weight, after what it shares: 5.5 to 7.2 of twelve networks. */
const bitsPerDigit = 6.5;

/** Bits of registers for each bit of adders, with one adder between them: 1.4 of four networks at 8 bits. */
const registersPerBit = 1.4;

/** Of the wrapper, besides a register for each bit that it holds. */
const wrapper = { lut: 60, ff: 60 } as const;

/**
 * What one bit that da4ml counts becomes in logic cells, with the registers between levels, as Yosys 0.55 maps iris-mlp: tables
 * and carry cells of an ECP5 1.27 to 1.35; on an iCE40, where a register that only delays is a cell of its own, 1.7.
 */
const cellsPerBit: Readonly<Record<string, number>> = { ice40: 1.7 };
const usualCellsPerBit = 1.35;

/** @param levelsBetween Adders between registers. */
export function estimateAdders(
  { digits, levels }: AdderCount,
  { part }: Pick<BoardModel, "part">,
  levelsBetween: number,
): AdderEstimate {
  const bits = digits * bitsPerDigit;
  const stages = Math.max(1, Math.ceil(levels / levelsBetween));
  return {
    lut: cellsOfBits(bits, { part }),
    ff: Math.round((bits * registersPerBit) / levelsBetween) + wrapper.ff + shellCells.flipFlops,
    stages,
  };
}

const perBit = ({ family }: BoardModel["part"]): number => cellsPerBit[family] ?? usualCellsPerBit;

/** Logic cells of a design whose adders have so many bits, by da4ml's count. */
export const cellsOfBits = (bits: number, { part }: Pick<BoardModel, "part">): number =>
  Math.round(bits * perBit(part)) + roomOn({ part }).besides;

/** How large a network may become on a board, and what da4ml's own count of bits is worth in cells. */
export function roomOn({ part }: Pick<BoardModel, "part">) {
  return {
    mostCells: Math.floor(part.resources.lut * usableCells),
    cellsPerBit: perBit(part),
    besides: wrapper.lut + shellCells.lut,
  };
}
