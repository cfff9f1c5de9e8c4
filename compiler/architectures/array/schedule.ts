import { type Pipeline, pipelineOf } from "./pipeline";

/** Sizes of one dense layer, and whether a table follows it: all that a schedule depends on. */
export interface LayerShape {
  readonly inputSize: number;
  readonly outputSize: number;
  readonly table?: TableShape;
}

/** A table that a layer's values are looked up in. Layers with the same `image` share one. */
export interface TableShape {
  readonly image: number;
  /** Bits of what is looked up. */
  readonly inputWidth: number;
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
  readonly pipeline: Pipeline;
  /** Cycles for which the answer waits after its first value, so that no later one comes too late for a quick reader. */
  readonly answerWait: number;
  /** From the cycle in which the last input byte was accepted to the one in which the first result byte is valid. */
  readonly latencyCycles: number;
}

/**
 * Lays the groups of all layers end to end and inserts pauses only where data would not be there yet:
 * a layer must not read a value before it is written, and the drain register must be empty before it is loaded again.
 */
export function buildSchedule(layers: readonly LayerShape[], lanes: number): Schedule {
  const pipeline = pipelineOf({ tables: layers.some(({ table }) => table !== undefined) });
  const groups: Group[] = [];
  const regions: [number, number] = [0, 0];
  let weightRow = 0;
  /** Per output of the previous layer, the first cycle in which it may be read. */
  let readable: readonly number[] = [];

  for (const [layer, shape] of layers.entries()) {
    const { inputSize } = shape;
    const region = layer % 2;
    regions[region] = Math.max(regions[region] ?? 0, inputSize);
    const readableNext: number[] = [];

    const hidden = layer < layers.length - 1;
    let firstOutput = 0;
    for (const outputs of groupSizes(shape, lanes, hidden)) {
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
        readableNext.push(start + inputSize - 1 + pipeline.readable + element);
      }
      firstOutput += outputs;
    }
    readable = readableNext;
  }

  const values = groups
    .filter(({ layer }) => layer === layers.length - 1)
    .flatMap(({ start, inputs, outputs }) =>
      Array.from(
        { length: outputs },
        (_, element) => start + inputs - 1 + pipeline.value + element,
      ),
    );
  const [first] = values;
  if (first === undefined) throw new RangeError("A schedule needs a layer with an output.");
  // The reader takes two cycles for the two bytes of a result.
  const answerWait = Math.max(...values.map((cycle, index) => cycle - 2 * index)) - first;
  return {
    lanes,
    layers,
    groups,
    weightRows: weightRow,
    evenRegion: regions[0],
    oddRegion: regions[1],
    pipeline,
    answerWait,
    latencyCycles: first + answerWait + pipeline.answer,
  };
}

/**
 * How many outputs the groups of a layer have. A full group keeps the drain register busy for as many cycles as there are
 * lanes; where the next one takes fewer, the incomplete group goes first. The last layer's goes last: its scores can wait.
 */
function groupSizes(
  { inputSize, outputSize }: LayerShape,
  lanes: number,
  hidden: boolean,
): number[] {
  const full = Array.from({ length: Math.floor(outputSize / lanes) }, () => lanes);
  const rest = outputSize % lanes;
  if (rest === 0) return full;
  return hidden && inputSize < lanes ? [rest, ...full] : [...full, rest];
}
