import type { IntegerGraph } from "../../integer/integer-graph";
import { type Layer, layersOf } from "../../integer/layers";
import {
  bits,
  lanesPerMemory,
  type MemoryImage,
  shiftWidth,
  weightBits,
  weightMemoryOf,
} from "../../verilog/memory";
import type { Schedule } from "./schedule";
import { accumulatorWidthOf, halfOf, writtenFormatOf } from "./stages";

/** Weights in the order in which they are issued: one memory per pair of lanes, one word per cycle. */
export function weightMemories(graph: IntegerGraph, schedule: Schedule): MemoryImage[] {
  const stages = layersOf(graph);
  const memories: MemoryImage[] = [];
  for (let lane = 0; lane < schedule.lanes; lane += lanesPerMemory) {
    const lanes = Math.min(lanesPerMemory, schedule.lanes - lane);
    const words: bigint[] = [];
    for (const group of schedule.groups) {
      const dense = stages[group.layer]?.dense;
      for (let input = 0; input < group.inputs; input++) {
        let word = 0n;
        for (let half = 0; half < lanes; half++) {
          const output = lane + half < group.outputs ? group.firstOutput + lane + half : -1;
          const weight = output < 0 ? 0 : (dense?.weights[output * group.inputs + input] ?? 0);
          word |= bits(weight, weightBits) << BigInt(half * weightBits);
        }
        words.push(word);
      }
    }
    memories.push({ name: weightMemoryOf(lane).name, width: lanes * weightBits, words });
  }
  return memories;
}

/** Lanes multiply signed bytes, so an unsigned one is written, and read, as `value - 128`. */
export const unsignedOffset = 128;

/** Whether a layer's values are written less `unsignedOffset`. */
export function isOffset(stage: Layer): boolean {
  const { width, signed } = writtenFormatOf(stage);
  return !signed && width === 8;
}

/**
 * One word per output of every layer, in the order in which they leave the drain register: `{shift, bias}`. The bias holds
 * what the offset of the layer's inputs takes from the sum, and the half step that makes the shift round.
 */
export function constantsMemory(graph: IntegerGraph): MemoryImage {
  const biasWidth = accumulatorWidthOf(graph);
  const stages = layersOf(graph);
  const words = stages.flatMap(({ dense, requantize }, layer) => {
    const before = stages[layer - 1];
    const offset = before && isOffset(before) ? unsignedOffset : 0;
    return dense.bias.map((bias, output) => {
      const shift = requantize.shift[output] ?? 0;
      const base = output * dense.inputSize;
      const weights = dense.weights.slice(base, base + dense.inputSize);
      const restored = offset * weights.reduce((sum, weight) => sum + weight, 0);
      const constant = bias + restored + halfOf(shift);
      return (bits(shift, shiftWidth) << BigInt(biasWidth)) | bits(constant, biasWidth);
    });
  });
  return { name: "constants", width: biasWidth + shiftWidth, words };
}
