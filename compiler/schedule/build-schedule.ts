/** Sizes of one dense layer: all that a schedule depends on. */
export interface LayerShape {
  readonly inputSize: number;
  readonly outputSize: number;
}

/** Up to `lanes` outputs of one layer, computed together: each input is read once and goes to every lane. */
export interface Group {
  readonly layer: number;
  readonly firstOutput: number;
  readonly outputs: number;
  readonly inputs: number;
  /** Cycles the array waits before the group's first input. */
  readonly pause: number;
  /** Cycle of the first input's read, counted from the one in which the core accepted the row's last byte. */
  readonly start: number;
  /** Row of the weight memories that holds the group's first weights. */
  readonly weightRow: number;
}

/** One network on one array: which group runs when. Exact, since nothing in the core depends on the data. */
export interface Schedule {
  readonly lanes: number;
  readonly layers: readonly LayerShape[];
  readonly groups: readonly Group[];
  /** Depth of the weight memories. */
  readonly weightRows: number;
  /** Activations lie in two regions of one memory: layer inputs 0, 2, 4 … in the first, 1, 3, 5 … in the second. */
  readonly evenRegion: number;
  readonly oddRegion: number;
  /** From the cycle in which the last input byte was accepted to the one in which the first result byte is valid. */
  readonly latencyCycles: number;
}

/**
 * Registers between the read of an input and what becomes of it, in cycles. `core.ts` builds exactly these;
 * a simulation of every emitted core checks them.
 */
export const pipeline = {
  /** From the last input byte to the read of the first input. */
  launch: 2,
  /** From the read of a group's last input to its first sum at the end of the drain register. */
  drain: 4,
  /** … to the sum with its bias (`tap_accumulator`). */
  accumulator: 5,
  /** … to the requantised value (`tap_value`), which is written one cycle later. */
  value: 9,
  /** From the last value to the first result byte. */
  answer: 3,
} as const;

/**
 * Lays the groups of all layers end to end and inserts pauses only where data would not be there yet:
 * a layer must not read a value before it is written, and the drain register must be empty before it is loaded again.
 */
export function buildSchedule(layers: readonly LayerShape[], lanes: number): Schedule {
  const groups: Group[] = [];
  const regions: [number, number] = [0, 0];
  let weightRow = 0;
  /** Per output of the previous layer, the first cycle in which it may be read. */
  let readable: readonly number[] = [];

  for (const [layer, { inputSize, outputSize }] of layers.entries()) {
    const region = layer % 2;
    regions[region] = Math.max(regions[region] ?? 0, inputSize);
    const written: number[] = [];

    for (let firstOutput = 0; firstOutput < outputSize; firstOutput += lanes) {
      const outputs = Math.min(lanes, outputSize - firstOutput);
      const last = groups.at(-1);
      const free = last ? last.start + last.inputs : pipeline.launch;
      const drained = last ? free + last.outputs - inputSize : 0;
      // The fetch of the next group's entry takes two cycles, one more than the shortest group.
      const fetched = inputSize < 2 ? free + 1 : free;
      const data = Math.max(0, ...readable.map((cycle, input) => cycle - input));
      const start = Math.max(free, drained, fetched, data);
      groups.push({
        layer,
        firstOutput,
        outputs,
        inputs: inputSize,
        pause: start - free,
        start,
        weightRow,
      });
      weightRow += inputSize;
      for (let element = 0; element < outputs; element++) {
        written.push(start + inputSize - 1 + pipeline.value + element + 1);
      }
    }
    readable = written;
  }

  const last = groups.at(-1);
  if (!last) throw new RangeError("A schedule needs a layer with an output.");
  const lastValue = last.start + last.inputs - 1 + pipeline.value + last.outputs - 1;
  return {
    lanes,
    layers,
    groups,
    weightRows: weightRow,
    evenRegion: regions[0],
    oddRegion: regions[1],
    latencyCycles: lastValue + pipeline.answer,
  };
}
