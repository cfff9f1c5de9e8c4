import type { IntegerGraph } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import type { TableStyle } from "./emit-tables";
import type { Network } from "./network";

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
export function placeTables(graph: IntegerGraph, network: Network, ram: BlockRam): PlacedTables {
  const layers = layersOf(graph);
  let bramBlocks = 0;
  let bits = 0;
  for (const signal of network.signals) {
    const table = signal.kind === "table" ? layers[signal.layer]?.table : null;
    if (!table) continue;
    const own = table.values.length * table.width;
    bramBlocks += Math.ceil(own / ram.blockBits);
    bits += own;
  }
  return bramBlocks <= ram.blocks
    ? { style: "memory", bramBlocks, lut: 0 }
    : { style: "logic", bramBlocks: 0, lut: Math.ceil(bits / bitsPerCell) };
}
