import type { TableStyle } from "./emit-tables";
import type { TableCount } from "./unrolled-outline";

/** Block RAM that a core may take for its tables. */
export interface BlockRam {
  readonly blocks: number;
  readonly blockBits: number;
}

export interface PlacedTables {
  readonly style: TableStyle;
  readonly bramBlocks: number;
  readonly lut: number;
}

/** Bits of a table that one logic cell replaces: smooth functions of 9 bits, as Yosys maps them to tables of four inputs. */
const bitsPerCell = 20;

/** Puts the tables of all elements into block RAM where there is enough of it, and into logic where there is not. */
export function placeTables(tables: readonly TableCount[], ram: BlockRam): PlacedTables {
  let bramBlocks = 0;
  let bits = 0;
  for (const { count, bits: own } of tables) {
    bramBlocks += count * Math.ceil(own / ram.blockBits);
    bits += count * own;
  }
  return bramBlocks <= ram.blocks
    ? { style: "memory", bramBlocks, lut: 0 }
    : { style: "logic", bramBlocks: 0, lut: Math.ceil(bits / bitsPerCell) };
}
