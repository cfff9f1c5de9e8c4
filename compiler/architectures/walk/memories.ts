import { keysOf, recordOf } from "@/lib/common/records";
import { widthFor } from "../../integer/range";
import {
  bits,
  hex,
  lanesPerMemory,
  shiftWidth,
  weightBits,
  weightMemoryOf,
} from "../../verilog/memory";
import type { Walk } from "./plan-walk";
import type { Sweep } from "./sweep";

/** A read-only memory of the core with its contents; word 0 first. */
export interface MemoryImage {
  readonly name: string;
  readonly width: number;
  readonly depth: number;
  /** Made when they are asked for: estimates do without. */
  readonly words: () => readonly bigint[];
}

/** Weights of all sweeps in the order in which they are used, one memory for each pair of lanes. */
export function weightImages(sweeps: readonly Sweep[], lanes: number): MemoryImage[] {
  const depth = sweeps.reduce((sum, { weightRows }) => sum + weightRows, 0);
  let rows: readonly (readonly number[])[] | null = null;
  const allRows = () => {
    rows ??= sweeps.flatMap((sweep) => sweep.rows());
    return rows;
  };
  return Array.from({ length: Math.ceil(lanes / lanesPerMemory) }, (_, pair) => {
    const first = pair * lanesPerMemory;
    const own = Math.min(lanesPerMemory, lanes - first);
    const wordOf = (row: readonly number[]) => {
      let word = 0n;
      for (let lane = 0; lane < own; lane++) {
        word |= bits(row[first + lane] ?? 0, weightBits) << BigInt(lane * weightBits);
      }
      return word;
    };
    return {
      name: weightMemoryOf(first).name,
      width: own * weightBits,
      depth,
      words: () => allRows().map(wordOf),
    };
  });
}

/** Bits of the amount by which a sum is shifted to the left, in cores where one is. */
export const liftWidth = 3;

/** Whether the sums of some lane are shifted to the left. */
export const hasLifts = (sweeps: readonly Sweep[]): boolean =>
  sweeps.some(({ constants }) => constants.flat().some(({ lift = 0 }) => lift > 0));

/** `{lift, shift, bias}` for each lane of each group; the lane is the low part of the address. */
export function constantsImage(
  sweeps: readonly Sweep[],
  lanes: number,
  accumulatorWidth: number,
): MemoryImage {
  const perGroup = 2 ** widthFor(lanes - 1);
  const groups = sweeps.flatMap(({ constants }) => constants);
  const words = () =>
    groups.flatMap((group) =>
      Array.from({ length: perGroup }, (_, lane) => {
        const { bias, shift, lift = 0 } = group[lane] ?? { bias: 0, shift: 0 };
        const amounts = bits(shift, shiftWidth) | (bits(lift, liftWidth) << BigInt(shiftWidth));
        return (amounts << BigInt(accumulatorWidth)) | bits(bias, accumulatorWidth);
      }),
    );
  return {
    name: "constants",
    width: accumulatorWidth + shiftWidth + (hasLifts(sweeps) ? liftWidth : 0),
    depth: groups.length * perGroup,
    words,
  };
}

/** All distinct tables of a core in one memory, one behind the other. */
export interface TablesImage {
  readonly image: MemoryImage;
  /** Bits of what is looked up, the same in every table. */
  readonly inputWidth: number;
  /** Which table each sweep has; 0 of those without one. */
  readonly numberOf: readonly number[];
}

/** Bits of what a table answers: a byte of the memory of maps. */
const tableEntryBits = 8;

/** @throws {RangeError} for tables of several widths, which `levelTables` makes equal. */
export function tablesImage(sweeps: readonly Sweep[]): TablesImage | null {
  const numbers = new Map<string, number>();
  const images: (readonly number[])[] = [];
  const numberOf = sweeps.map(({ table }) => {
    if (!table) return 0;
    const key = table.values.length > 0 ? table.values.join() : table.name;
    const number = numbers.get(key) ?? images.length;
    if (number === images.length) images.push(table.values);
    numbers.set(key, number);
    return number;
  });
  const [inputWidth, ...others] = new Set(
    sweeps.flatMap(({ table }) => (table ? [table.inputWidth] : [])),
  );
  if (inputWidth === undefined) return null;
  if (others.length > 0) throw new RangeError("A core looks up values of one width.");
  const image = {
    name: "tables",
    width: tableEntryBits,
    depth: images.length * 2 ** inputWidth,
    words: () => images.flatMap((values) => values.map((value) => bits(value, tableEntryBits))),
  };
  return { image, inputWidth, numberOf };
}

/** A field of a word of the program; `width` 0 where it never changes anything. */
export interface Field {
  readonly low: number;
  readonly width: number;
}

/** A register that each step of the walk adds to. */
export type FieldName = "address" | "y" | "x" | "row" | "group";

/** The memory of what each step adds, with the fields of its words. */
export interface StepProgram {
  readonly image: MemoryImage;
  readonly fields: Readonly<Record<FieldName, Field>>;
  /** Bits of the number of a level, the low part of the address; the sweep is the high part. */
  readonly levelBits: number;
}

/** For each sweep and each level that can go on, what is added to each register. Numbers wrap round at their width. */
export function stepProgram(walk: Walk, widths: Readonly<Record<FieldName, number>>): StepProgram {
  const levels = walk.sweeps[0]?.changes.length ?? 1;
  const levelBits = widthFor(levels - 1);
  const names = keysOf(widths);
  let low = 0;
  const fields = recordOf(names, (name): Field => {
    const isUsed = walk.sweeps.some(({ changes }) => changes.some((each) => each[name] !== 0));
    const field = { low, width: isUsed ? widths[name] : 0 };
    low += field.width;
    return field;
  });
  const words = () =>
    walk.sweeps.flatMap(({ changes }) =>
      Array.from({ length: 2 ** levelBits }, (_, level) => {
        let word = 0n;
        for (const name of names) {
          const field = fields[name];
          word |= bits(changes[level]?.[name] ?? 0, field.width) << BigInt(field.low);
        }
        return word;
      }),
    );
  const depth = walk.sweeps.length * 2 ** levelBits;
  return { image: { name: "changes", width: Math.max(1, low), depth, words }, fields, levelBits };
}

/** A memory with its contents, one word a line. @param writable Whether the core writes it too. */
export function declareMemory(
  { name, width, depth, words }: MemoryImage,
  style: "block" | "logic",
  writable = false,
): string {
  const how = writable ? `ram_style = "${style}", no_rw_check` : `rom_style = "${style}"`;
  const lines = words().map((word, index) => `    ${name}[${index}] = ${hex(word, width)};`);
  return `  (* ${how} *) reg [${width - 1}:0] ${name} [0:${depth - 1}];
  initial begin
${lines.join("\n")}
  end`;
}
