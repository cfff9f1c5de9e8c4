import type { IntegerGraph } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { bits, type MemoryImage } from "../../verilog/memory";
import { tablesOf } from "./stages";

/** The tables of a graph as one memory, one after the other. */
export interface Tables {
  readonly image: MemoryImage;
  /** Bits of what is looked up, the same in every table. */
  readonly inputWidth: number;
  /** Distinct tables. */
  readonly count: number;
}

const entryBits = 8;

/**
 * Lays the tables of a graph into one memory.
 *
 * @returns null for a graph without tables.
 * @throws {RangeError} for what the array cannot look up: other widths side by side, unsigned values, more than 8 bits out.
 */
export function tablesMemory(graph: IntegerGraph): Tables | null {
  const stages = layersOf(graph);
  const { images } = tablesOf(stages);
  const [first] = images;
  if (!first) return null;
  const { inputWidth } = first;
  for (const { requantize, table } of stages) {
    if (!table) continue;
    const sameFormat =
      table.inputWidth === inputWidth &&
      table.inputSigned &&
      requantize.signed &&
      requantize.width === inputWidth &&
      requantize.size === table.size;
    if (!sameFormat) {
      throw new RangeError(`${table.name}: the array looks up signed values of one width.`);
    }
    if (table.width > entryBits || table.values.length !== 2 ** inputWidth) {
      throw new RangeError(`${table.name}: a table has 2^${inputWidth} entries of up to 8 bits.`);
    }
  }
  if (stages.at(-1)?.table) throw new RangeError("The array's last layer has no table.");
  const words = images.flatMap(({ values }) => values.map((value) => bits(value, entryBits)));
  return { image: { name: "tables", width: entryBits, words }, inputWidth, count: images.length };
}
