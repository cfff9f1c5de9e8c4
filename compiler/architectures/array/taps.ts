import type { IntegerGraph, Tap } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import type { Schedule } from "./schedule";
import { halfOf } from "./stages";

/**
 * When each element of each node shows itself in the core: `tap_accumulator` for dense nodes, `tap_value` for requantised
 * ones and `tap_table` for what a table made of those, all two's complement of their own width. The sums hold the half step
 * that makes their shift round.
 */
export function tapsOf(graph: IntegerGraph, schedule: Schedule): Tap[] {
  const stages = layersOf(graph);
  return schedule.groups.flatMap((group) => {
    const stage = stages[group.layer];
    if (!stage) return [];
    const last = group.start + group.inputs - 1;
    const { accumulator, value, table } = schedule.pipeline;
    const shown = [
      { node: stage.dense.name, signal: "tap_accumulator", after: accumulator },
      { node: stage.requantize.name, signal: "tap_value", after: value },
      ...(stage.table ? [{ node: stage.table.name, signal: "tap_table", after: table }] : []),
    ];
    return Array.from({ length: group.outputs }, (_, index) =>
      shown.map(({ node, signal, after }): Tap => {
        const element = group.firstOutput + index;
        const place = { node, element, signal, cycle: last + after + index };
        const offset = node === stage.dense.name ? halfOf(stage.requantize.shift[element] ?? 0) : 0;
        return offset === 0 ? place : { ...place, offset };
      }),
    ).flat();
  });
}
