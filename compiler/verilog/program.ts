import type { IntegerGraph } from "../integer-graph";
import { widthFor } from "../range";
import { type Schedule, stagesOf } from "../schedule";
import type { MemoryImage } from "./memories";

/** A bit field of an entry of the group table. */
export interface Field {
  readonly name: string;
  readonly low: number;
  readonly width: number;
}

export interface Program {
  readonly image: MemoryImage;
  readonly fields: readonly Field[];
}

/**
 * The table that the core steps through, one entry per group:
 * `pause` cycles to wait · `length` inputs less one · `count` outputs less one · `reads_odd` region of the inputs ·
 * `reads_signed` their sign · `opens` first group of its layer · `relu` · `answers` writes to the result · `ends` the row.
 */
export function programOf(graph: IntegerGraph, schedule: Schedule): Program {
  const stages = stagesOf(graph);
  const { groups } = schedule;
  const entries = groups.map((group, index) => ({
    pause: group.pause,
    length: group.inputs - 1,
    count: group.outputs - 1,
    reads_odd: group.layer % 2,
    reads_signed: group.layer === 0 || stages[group.layer - 1]?.requantize.signed ? 1 : 0,
    opens: group.firstOutput === 0 ? 1 : 0,
    relu: stages[group.layer]?.requantize.relu ? 1 : 0,
    answers: group.layer === stages.length - 1 ? 1 : 0,
    ends: index === groups.length - 1 ? 1 : 0,
  }));

  const fields: Field[] = [];
  let width = 0;
  const first = entries[0];
  if (!first) throw new RangeError("A schedule has at least one group.");
  const names = Object.keys(first) as (keyof typeof first)[];
  for (const name of names) {
    const fieldWidth = widthFor(Math.max(1, ...entries.map((entry) => entry[name])));
    fields.push({ name, low: width, width: fieldWidth });
    width += fieldWidth;
  }
  const words = entries.map((entry) => {
    let word = 0n;
    for (const [index, name] of names.entries()) {
      word |= BigInt(entry[name]) << BigInt(fields[index]?.low ?? 0);
    }
    return word;
  });
  return { image: { name: "groups", width, words }, fields };
}
