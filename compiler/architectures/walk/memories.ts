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

/** `{shift, bias}` for each lane of each group; the lane is the low part of the address. */
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
        const { bias, shift } = group[lane] ?? { bias: 0, shift: 0 };
        return (bits(shift, shiftWidth) << BigInt(accumulatorWidth)) | bits(bias, accumulatorWidth);
      }),
    );
  return {
    name: "constants",
    width: accumulatorWidth + shiftWidth,
    depth: groups.length * perGroup,
    words,
  };
}

/** A field of a word of the program; `width` 0 where it never changes anything. */
export interface Field {
  readonly low: number;
  readonly width: number;
}

export type FieldName = "address" | "y" | "x" | "row" | "group";

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
  const names = Object.keys(widths) as FieldName[];
  let low = 0;
  const fields = Object.fromEntries(
    names.map((name) => {
      const isUsed = walk.sweeps.some(({ changes }) => changes.some((each) => each[name] !== 0));
      const field = { low, width: isUsed ? widths[name] : 0 };
      low += field.width;
      return [name, field];
    }),
  ) as Record<FieldName, Field>;
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

/** A memory with its contents, one word a line. */
export function declareMemory(
  { name, width, depth, words }: MemoryImage,
  style: "block" | "logic",
): string {
  const lines = words().map((word, index) => `    ${name}[${index}] = ${hex(word, width)};`);
  return `  (* rom_style = "${style}" *) reg [${width - 1}:0] ${name} [0:${depth - 1}];
  initial begin
${lines.join("\n")}
  end`;
}
