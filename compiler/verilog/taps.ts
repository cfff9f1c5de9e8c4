import type { IntegerGraph, Tap } from "../integer-graph";
import { pipeline, type Schedule, stagesOf } from "../schedule";

/**
 * When each element of each node shows itself in the core: `tap_accumulator` for dense nodes and `tap_value` for
 * requantised ones, both two's complement of their own width.
 */
export function tapsOf(graph: IntegerGraph, schedule: Schedule): Tap[] {
  const stages = stagesOf(graph);
  return schedule.groups.flatMap((group) => {
    const stage = stages[group.layer];
    if (!stage) return [];
    const last = group.start + group.inputs - 1;
    return Array.from({ length: group.outputs }, (_, index) => {
      const element = group.firstOutput + index;
      return [
        {
          node: stage.dense.name,
          element,
          signal: "tap_accumulator",
          cycle: last + pipeline.accumulator + index,
        },
        {
          node: stage.requantize.name,
          element,
          signal: "tap_value",
          cycle: last + pipeline.value + index,
        },
      ];
    }).flat();
  });
}
