import { fail } from "@/lib/common/errors";
import type { IntegerGraph } from "../integer-graph";
import type { AddNode, ConvolutionNode, MapView, MaxPoolNode, Window } from "../integer-maps";
import { cyclesOf } from "./schedule";
import { mapStagesOf, type Stage } from "./stages";
import { mapOf, type Place, type Storage, storeMaps } from "./storage";
import { type Loop, loop, type OutputGroup, type Sweep } from "./sweep";

export interface Sweeps {
  readonly sweeps: readonly Sweep[];
  /** Bytes of the memory of maps. */
  readonly depth: number;
}

/**
 * Lays an integer graph of maps out as sweeps of an array with so many lanes.
 *
 * @param pairs Whether two pixels may be summed at once where a layer has few channels.
 */
export function buildSweeps(
  graph: IntegerGraph,
  { lanes, pairs }: { readonly lanes: number; readonly pairs: boolean },
): Sweeps {
  const stages = mapStagesOf(graph);
  const storage = storeMaps(graph, stages);
  const sweeps = stages.map((stage, index) => {
    const context: Context = { graph, stage, storage, lanes, answers: index === stages.length - 1 };
    if (stage.sum?.op === "convolution") {
      const single = convolutionSweep(stage.sum, context, false);
      if (!pairs || !canPair(single, context)) return single;
      const paired = convolutionSweep(stage.sum, context, true);
      const isFaster = cyclesOf(paired, lanes) < cyclesOf(single, lanes);
      // All channels of a pixel are written before the next pixel's.
      return isFaster && paired.groups.length === 1 ? paired : single;
    }
    if (stage.sum) return addSweep(stage.sum, context);
    if (stage.pool) return poolSweep(stage.pool, context);
    throw new RangeError("A stage has a node.");
  });
  return { sweeps, depth: storage.depth };
}

interface Context {
  readonly graph: IntegerGraph;
  readonly stage: Stage;
  readonly storage: Storage;
  readonly lanes: number;
  readonly answers: boolean;
}

/** Pixels are written one behind the other, and scores leave one by one. */
const canPair = ({ writes, answers, writtenWidth }: Sweep, { lanes }: Context): boolean =>
  lanes % 2 === 0 && writes.skip === 0 && !answers && writtenWidth > 1;

function convolutionSweep(node: ConvolutionNode, context: Context, paired: boolean): Sweep {
  const { graph, stage, storage } = context;
  const lanes = paired ? context.lanes / 2 : context.lanes;
  const { window, groups, weights } = node;
  const inputs = node.input.channels / groups;
  const outputs = node.output.channels / groups;
  const view = addressesOf(node.input, storage.placeOf(node.from), node.name);
  const isPadded = reachesOver(node, window);

  // Groups of channels that are narrower than the array are summed beside each other, with weights of 0 in between.
  const beside = outputs < lanes ? largestDivisor(groups, Math.floor(lanes / outputs)) : 1;
  const blocks = groups / beside;
  const perBlock = outputs * beside;
  const parts = Math.ceil(perBlock / lanes);
  const outputGroups: OutputGroup[] = Array.from({ length: blocks * parts }, (_, index) => {
    const first = (index % parts) * lanes;
    return {
      firstChannel: Math.floor(index / parts) * perBlock + first,
      outputs: Math.min(lanes, perBlock - first),
    };
  });
  const channelLoops = splitChannels(view, inputs * beside, node.name);
  const [rows, columns] = window.kernel;
  const steps = inputs * beside * rows * columns;
  const inner = numbered([
    ...channelLoops,
    loop(columns, { address: window.dilations[1] * view.x, x: window.dilations[1] }),
    loop(rows, { address: window.dilations[0] * view.y, y: window.dilations[0] }),
  ]);
  const weightRows = outputGroups.flatMap(({ firstChannel, outputs: count }) =>
    Array.from({ length: steps }, (_, step) => {
      const channel = step % (inputs * beside);
      const tap = Math.floor(step / (inputs * beside));
      const row = Array.from({ length: count }, (_, lane) => {
        const output = firstChannel + lane;
        const own = beside === 1 || Math.floor(lane / outputs) === Math.floor(channel / inputs);
        const at = (output * rows * columns + tap) * inputs + (channel % inputs);
        return own ? (weights[at] ?? 0) : 0;
      });
      return paired ? twice(row, lanes, 0) : row;
    }),
  );
  const { requantize } = stage;
  const shifts = requantize?.shift ?? [];
  const { pool, pixel } = pixelLoops(context, view, window);
  const [along = loop(1, {}), ...lines] = pixel;
  return {
    ...commonOf(context),
    pair: paired ? { address: along.address, x: along.x, odd: along.count % 2 === 1 } : null,
    loops: {
      window: inner,
      pool,
      pixel: paired
        ? [
            {
              ...along,
              count: Math.ceil(along.count / 2),
              address: 2 * along.address,
              x: 2 * along.x,
            },
            ...lines,
          ]
        : pixel,
      group: [
        loop(parts, { row: steps, group: 1 }),
        loop(blocks, { row: steps * parts, group: parts, address: inputs * beside * view.c }),
      ],
    },
    groups: outputGroups,
    start: {
      address: view.base - window.padding[0] * view.y - window.padding[1] * view.x,
      y: -window.padding[0],
      x: -window.padding[1],
    },
    edge: isPadded
      ? { height: node.input.height, width: node.input.width, value: node.paddingValue }
      : null,
    readsSigned: isSigned(graph, node.from),
    rows: weightRows,
    constants: outputGroups.map(({ firstChannel, outputs: count }) => {
      const own = Array.from({ length: count }, (_, lane) => ({
        bias: node.bias[firstChannel + lane] ?? 0,
        shift: shifts[(firstChannel + lane) % shifts.length] ?? 0,
      }));
      return paired ? twice(own, lanes, { bias: 0, shift: 0 }) : own;
    }),
  };
}

/** Both maps are read, value by value, with weights of 1 on the diagonal. */
function addSweep(node: AddNode, context: Context): Sweep {
  const { graph, stage, storage, lanes } = context;
  const [left, right] = node.from.map((from) => storage.placeOf(from));
  if (!left || left.pixelStride !== right?.pixelStride) {
    throw fail("MODEL_UNSUPPORTED", `Node "${node.name}" adds a map that is joined to others.`, {
      hint: "Use a CPU board, with the engine of the model's own make.",
    });
  }
  const { channels } = node.output;
  const view = addressesOf(viewAs(node.output), left, node.name);
  const width = largestDivisor(channels, lanes);
  const shift = stage.requantize?.shift[0] ?? 0;
  return {
    ...commonOf(context),
    loops: {
      window: numbered([
        loop(width, { address: view.c }),
        loop(2, { address: right.base - left.base }),
      ]),
      ...pixelLoops(context, view, onePixel),
      group: [loop(channels / width, { address: width * view.c })],
    },
    groups: blocksOf(channels, width),
    start: { address: view.base, y: 0, x: 0 },
    edge: null,
    readsSigned: node.from.some((from) => isSigned(graph, from)),
    rows: [...diagonal(width), ...diagonal(width)],
    constants: [Array.from({ length: width }, () => ({ bias: 0, shift }))],
  };
}

/** Every value of a window is read, and leaves the array as it is; the largest is kept. */
function poolSweep(node: MaxPoolNode, context: Context): Sweep {
  const { graph, storage, lanes } = context;
  const { window, input } = node;
  const { channels } = node.output;
  const view = addressesOf(input, storage.placeOf(node.from), node.name);
  const width = largestDivisor(channels, lanes);
  const [rows, columns] = window.kernel;
  const isPadded = reachesOver(node, window);
  return {
    ...commonOf(context),
    loops: {
      window: numbered([loop(width, { address: view.c })]),
      pool: [
        loop(columns, { address: window.dilations[1] * view.x, x: window.dilations[1] }),
        loop(rows, { address: window.dilations[0] * view.y, y: window.dilations[0] }),
      ],
      group: [loop(channels / width, { address: width * view.c })],
      pixel: pixelLoops(context, view, window).pixel,
    },
    groups: blocksOf(channels, width),
    start: {
      address: view.base - window.padding[0] * view.y - window.padding[1] * view.x,
      y: -window.padding[0],
      x: -window.padding[1],
    },
    edge: isPadded ? { height: input.height, width: input.width, value: node.paddingValue } : null,
    readsSigned: isSigned(graph, node.from),
    rows: diagonal(width),
    constants: [Array.from({ length: width }, () => ({ bias: 0, shift: 0 }))],
  };
}

const onePixel: Window = { kernel: [1, 1], strides: [1, 1], dilations: [1, 1], padding: [0, 0] };

function viewAs({ height, width, channels }: { height: number; width: number; channels: number }) {
  const strides = [width * channels, channels, 1] as const;
  return { height, width, channels, strides } satisfies MapView;
}

/** What all sweeps have: names, where they write, and formats. */
function commonOf({ graph, stage, storage, answers }: Context) {
  const { sum, requantize, pool, writes } = stage;
  const written = mapOf(graph, writes);
  const place = storage.placeOf(writes);
  const format = formatOf(graph, writes);
  return {
    nodes: {
      sum: sum?.name ?? null,
      value: requantize?.name ?? null,
      pool: pool?.name ?? null,
    },
    writes: answers
      ? { base: 0, skip: 0 }
      : { base: place.base, skip: place.pixelStride - place.channels },
    poolStrides: sum && pool ? pool.window.strides : ([1, 1] as const),
    summedWidth: sum ? sum.output.width : written.width,
    writtenWidth: written.width,
    channels: written.channels,
    relu: requantize?.relu ?? false,
    format,
    answers,
    pair: null,
  };
}

/** Loops over the windows that are pooled into one value, and over the values that are left. */
function pixelLoops(
  { graph, stage }: Context,
  view: Addresses,
  window: Window,
): { readonly pool: readonly Loop[]; readonly pixel: readonly Loop[] } {
  const { sum, pool, writes } = stage;
  const [dy, dx] = window.strides;
  const step = (rows: number, columns: number) => ({
    address: rows * dy * view.y + columns * dx * view.x,
    y: rows * dy,
    x: columns * dx,
  });
  const pooled = sum && pool ? pool.window : onePixel;
  const [rows, columns] = pooled.kernel;
  const { height, width } = mapOf(graph, writes);
  return {
    pool: [loop(columns, step(0, 1)), loop(rows, step(1, 0))],
    pixel: [loop(width, step(0, pooled.strides[1])), loop(height, step(pooled.strides[0], 0))],
  };
}

/** Bytes from a row, a pixel, a channel to the next. */
interface Addresses {
  readonly base: number;
  readonly y: number;
  readonly x: number;
  readonly c: number;
  readonly place: Place;
}

/** A view of flat values as addresses, where pixels may lie further apart than they have channels. */
function addressesOf(view: MapView, place: Place, name: string): Addresses {
  const { channels, pixelStride } = place;
  const apart = (stride: number) => {
    if (pixelStride === channels || stride < channels) return stride;
    if (stride % channels === 0) return (stride / channels) * pixelStride;
    throw fail("MODEL_UNSUPPORTED", `Node "${name}" reads a joined map in another order.`, {
      hint: "Use a CPU board, with the engine of the model's own make.",
    });
  };
  const [y, x, c] = view.strides;
  return { base: place.base, y: apart(y), x: apart(x), c: apart(c), place };
}

/** Channels that follow each other go on into the next pixel where a map is seen as a vector. */
function splitChannels({ c, place }: Addresses, count: number, name: string): Loop[] {
  const { channels, pixelStride } = place;
  if (pixelStride === channels || count <= channels || c !== 1)
    return [loop(count, { address: c })];
  if (count % channels !== 0) throw new RangeError(`${name} ends within a pixel.`);
  return [loop(channels, { address: 1 }), loop(count / channels, { address: pixelStride })];
}

/** Numbers the rows of weights in the order of the loops. */
function numbered(loops: readonly Loop[]): Loop[] {
  let row = 1;
  return loops.map((each) => {
    const result = { ...each, row };
    row *= each.count;
    return result;
  });
}

/** The same for both halves of the lanes. */
function twice<Item>(items: readonly Item[], half: number, none: Item): Item[] {
  return [...items, ...Array<Item>(half - items.length).fill(none), ...items];
}

const diagonal = (width: number): number[][] =>
  Array.from({ length: width }, (_, row) =>
    Array.from({ length: width }, (_, lane) => (row === lane ? 1 : 0)),
  );

const blocksOf = (channels: number, width: number): OutputGroup[] =>
  Array.from({ length: channels / width }, (_, block) => ({
    firstChannel: block * width,
    outputs: width,
  }));

/** The largest divisor that is not above a limit. */
function largestDivisor(value: number, limit: number): number {
  for (let divisor = Math.min(value, limit); divisor > 1; divisor--) {
    if (value % divisor === 0) return divisor;
  }
  return 1;
}

function reachesOver(
  { input, output }: Pick<ConvolutionNode | MaxPoolNode, "input" | "output">,
  { padding, kernel, strides, dilations }: Window,
): boolean {
  const last = (axis: 0 | 1, count: number) =>
    (count - 1) * strides[axis] - padding[axis] + (kernel[axis] - 1) * dilations[axis];
  return (
    padding.some((each) => each > 0) ||
    last(0, output.height) >= input.height ||
    last(1, output.width) >= input.width
  );
}

/** The format of what a node leaves. */
export function formatOf(
  graph: IntegerGraph,
  place: number,
): { readonly width: number; readonly signed: boolean } {
  const node = graph.nodes[place];
  if (!node) return { width: graph.input.width, signed: true };
  if (node.op === "requantize") return { width: node.width, signed: node.signed };
  if (node.op === "max-pool") return formatOf(graph, node.from);
  if (node.op !== "concat") throw new RangeError(`${node.name} leaves sums.`);
  const parts = node.from.map((from) => formatOf(graph, from));
  return parts.find(({ signed }) => signed) ?? parts[0] ?? { width: 8, signed: false };
}

const isSigned = (graph: IntegerGraph, place: number): boolean => formatOf(graph, place).signed;
