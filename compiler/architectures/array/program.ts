import type { IntegerGraph } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { widthFor, widthOf } from "../../integer/range";
import { bits, type MemoryImage } from "../../verilog/memory";
import { isOffset } from "./memories";
import type { Schedule } from "./schedule";
import { tablesOf } from "./stages";

/** A bit field of an entry of the group table. */
export interface Field {
  readonly name: string;
  readonly low: number;
  readonly width: number;
}

/** The table of groups with the fields of its entries. */
export interface Program {
  readonly image: MemoryImage;
  readonly fields: readonly Field[];
}

/** Fields that count down and have reached their end when they are negative: one bit says so. */
const counters: ReadonlySet<string> = new Set(["pause", "length"]);

/**
 * The table that the core steps through, one entry per group:
 * `pause` cycles to wait less one · `length` inputs less two · `count` outputs less one · `reads_odd` region of the inputs ·
 * `opens` first group of its layer · `relu` values are clamped at 0, as all unsigned ones are · `answers` writes to the result · `ends` the row; in designs that have tables
 * `tabled` values are looked up · `image` in which table · `offset` they are written less 128.
 */
export function programOf(graph: IntegerGraph, schedule: Schedule): Program {
  const stages = layersOf(graph);
  const { groups } = schedule;
  const { images, imageOf } = tablesOf(stages);
  const entries: Readonly<Record<string, number>>[] = groups.map((group, index) => ({
    pause: group.pause - 1,
    length: group.inputs - 2,
    count: group.outputs - 1,
    reads_odd: group.layer % 2,
    opens: group.firstOutput === 0 ? 1 : 0,
    relu: stages[group.layer]?.requantize.signed === false ? 1 : 0,
    answers: group.layer === stages.length - 1 ? 1 : 0,
    ends: index === groups.length - 1 ? 1 : 0,
    ...(images.length > 0 ? tableFields(group.layer) : {}),
  }));
  function tableFields(layer: number) {
    const stage = stages[layer];
    const hidden = layer < stages.length - 1;
    return {
      tabled: stage?.table ? 1 : 0,
      image: imageOf[layer] ?? 0,
      offset: hidden && stage && isOffset(stage) ? 1 : 0,
    };
  }

  const fields: Field[] = [];
  let width = 0;
  const first = entries[0];
  if (!first) throw new RangeError("A schedule has at least one group.");
  const names = Object.keys(first);
  for (const name of names) {
    const values = entries.map((entry) => entry[name] ?? 0);
    const fieldWidth = counters.has(name)
      ? widthOf({ min: -1, max: Math.max(...values) })
      : widthFor(Math.max(...values));
    fields.push({ name, low: width, width: fieldWidth });
    width += fieldWidth;
  }
  const words = entries.map((entry) => {
    let word = 0n;
    for (const [index, name] of names.entries()) {
      const { low = 0, width: fieldWidth = 0 } = fields[index] ?? {};
      word |= bits(entry[name] ?? 0, fieldWidth) << BigInt(low);
    }
    return word;
  });
  return { image: { name: "groups", width, words }, fields };
}
