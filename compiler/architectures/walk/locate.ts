import { widthFor } from "../../integer/range";
import { type MemoryPlace, shiftWidth, weightBits, weightMemoryOf } from "../../verilog/memory";
import type { CoreLayout } from "./core-layout";

/** Where the weight of one product lies: of the sweep with that sum, for an output channel, in a step of its window. */
export function locateMapWeight(
  layout: CoreLayout,
  place: { readonly node: string; readonly channel: number; readonly step: number },
): MemoryPlace {
  const { sweep, group, lane, rows } = find(layout, place);
  const steps = sweep.weightRows / sweep.constants.length;
  const { name, bit } = weightMemoryOf(lane);
  return { memory: name, word: rows + group * steps + place.step, bit, width: weightBits };
}

/** Where the shift of an output channel lies. */
export function locateMapShift(
  layout: CoreLayout,
  place: { readonly node: string; readonly channel: number },
): MemoryPlace {
  const { group, lane, groups } = find(layout, place);
  const perGroup = 2 ** widthFor(layout.lanes - 1);
  return {
    memory: "constants",
    word: (groups + group) * perGroup + lane,
    bit: layout.accumulatorWidth,
    width: shiftWidth,
  };
}

/** A channel's sweep, group and lane, with the rows and groups of the sweeps before. */
function find(
  { sweeps }: CoreLayout,
  { node, channel }: { readonly node: string; readonly channel: number },
) {
  let [rows, groups] = [0, 0];
  for (const sweep of sweeps) {
    const group = sweep.groups.findIndex(
      ({ firstChannel, outputs }) => channel >= firstChannel && channel < firstChannel + outputs,
    );
    const own = sweep.groups[group];
    if (sweep.nodes.sum === node && own) {
      return { sweep, group, lane: channel - own.firstChannel, rows, groups };
    }
    rows += sweep.weightRows;
    groups += sweep.constants.length;
  }
  throw new RangeError(`There is no sum ${node} of channel ${channel}.`);
}
