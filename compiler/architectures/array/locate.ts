import type { IntegerGraph } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { type MemoryPlace, shiftWidth, weightBits, weightMemoryOf } from "../../verilog/memory";
import type { Schedule } from "./schedule";
import { accumulatorWidthOf } from "./stages";

/** Where the weight from `input` to `output` of a layer (0 is the first) lies in the core. */
export function locateWeight(
  schedule: Schedule,
  place: { readonly layer: number; readonly output: number; readonly input: number },
): MemoryPlace {
  const group = schedule.groups.find(
    ({ layer, firstOutput, outputs }) =>
      layer === place.layer && place.output >= firstOutput && place.output < firstOutput + outputs,
  );
  if (!group || place.input < 0 || place.input >= group.inputs) {
    throw new RangeError(`Layer ${place.layer} has no weight ${place.output}, ${place.input}.`);
  }
  const { name, bit } = weightMemoryOf(place.output - group.firstOutput);
  return { memory: name, word: group.weightRow + place.input, bit, width: weightBits };
}

/** Where the requantisation shift of an output lies in the core. */
export function locateShift(
  graph: IntegerGraph,
  place: { readonly layer: number; readonly output: number },
): MemoryPlace {
  const stages = layersOf(graph);
  const before = stages.slice(0, place.layer).reduce((sum, { dense }) => sum + dense.outputSize, 0);
  return {
    memory: "constants",
    word: before + place.output,
    bit: accumulatorWidthOf(graph),
    width: shiftWidth,
  };
}
