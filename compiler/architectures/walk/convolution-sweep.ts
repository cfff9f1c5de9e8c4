import type { ConvolutionNode } from "../../integer/integer-maps";
import { addressesOf, splitChannels } from "./addresses";
import { liftsOf } from "./lifts";
import { type LaneConstants, type Loop, loop, type OutputGroup, type Sweep } from "./sweep";
import {
  type Context,
  commonOf,
  isSigned,
  largestDivisor,
  numbered,
  pixelLoops,
  reachesOver,
} from "./sweep-parts";

/**
 * A convolution, pooled at once where its stage says so.
 *
 * @param paired Whether both halves of the lanes sum neighbouring pixels.
 */
export function convolutionSweep(node: ConvolutionNode, context: Context, paired: boolean): Sweep {
  const { graph, storage } = context;
  const { window } = node;
  const view = addressesOf(node.input, storage.placeOf(node.from), node.name);
  const blocks = blocksOf(node, paired ? context.lanes / 2 : context.lanes);
  const { channels, steps, parts, groups } = blocks;
  const [rows, columns] = window.kernel;
  const inner = numbered([
    ...splitChannels(view, channels, node.name),
    loop(columns, { address: window.dilations[1] * view.x, x: window.dilations[1] }),
    loop(rows, { address: window.dilations[0] * view.y, y: window.dilations[0] }),
  ]);
  const { pool, pixel } = pixelLoops(context, view, window);
  const [along = loop(1, {})] = pixel;
  return {
    ...commonOf(context),
    pair: paired ? { address: along.address, x: along.x, odd: along.count % 2 === 1 } : null,
    loops: {
      window: inner,
      pool,
      pixel: paired ? pairwise(pixel) : pixel,
      group: [
        loop(parts, { row: steps, group: 1 }),
        loop(blocks.count, { row: steps * parts, group: parts, address: channels * view.c }),
      ],
    },
    groups,
    start: {
      address: view.base - window.padding[0] * view.y - window.padding[1] * view.x,
      y: -window.padding[0],
      x: -window.padding[1],
    },
    edge: reachesOver(node, window)
      ? { height: node.input.height, width: node.input.width, value: node.paddingValue }
      : null,
    readsSigned: isSigned(graph, node.from),
    weightRows: groups.length * steps,
    rows: () => weightRows(node, blocks, paired),
    constants: laneConstants(node, context, blocks, paired),
  };
}

/** How the channels of a convolution are shared out among the lanes. */
interface Blocks {
  /** Lanes for one pixel. */
  readonly lanes: number;
  /** Groups of channels that are summed beside each other, with weights of 0 in between. */
  readonly beside: number;
  readonly count: number;
  /** Input channels that each sum goes through, and products of it. */
  readonly channels: number;
  readonly steps: number;
  /** Output groups of each block. */
  readonly parts: number;
  readonly groups: readonly OutputGroup[];
}

function blocksOf({ window, groups, input, output }: ConvolutionNode, lanes: number): Blocks {
  const inputs = input.channels / groups;
  const outputs = output.channels / groups;
  // Groups of channels that are narrower than the array do not leave lanes idle.
  const beside = outputs < lanes ? largestDivisor(groups, Math.floor(lanes / outputs)) : 1;
  const count = groups / beside;
  const perBlock = outputs * beside;
  const parts = Math.ceil(perBlock / lanes);
  const channels = inputs * beside;
  const [rows, columns] = window.kernel;
  return {
    lanes,
    beside,
    count,
    channels,
    steps: channels * rows * columns,
    parts,
    groups: Array.from({ length: count * parts }, (_, index) => {
      const first = (index % parts) * lanes;
      return {
        firstChannel: Math.floor(index / parts) * perBlock + first,
        outputs: Math.min(lanes, perBlock - first),
      };
    }),
  };
}

/** The same pixels, two at a time along a line. */
function pairwise([along = loop(1, {}), ...lines]: readonly Loop[]): Loop[] {
  const pairs = {
    ...along,
    count: Math.ceil(along.count / 2),
    address: 2 * along.address,
    x: 2 * along.x,
  };
  return [pairs, ...lines];
}

/** For each output group and each step, the weight of each lane. */
function weightRows(
  node: ConvolutionNode,
  { lanes, beside, channels, steps, groups }: Blocks,
  paired: boolean,
): readonly (readonly number[])[] {
  const { weights, window } = node;
  const inputs = channels / beside;
  const outputs = node.output.channels / node.groups;
  const taps = window.kernel[0] * window.kernel[1];
  const lifts = liftsOf(node);
  return groups.flatMap(({ firstChannel, outputs: count }) =>
    Array.from({ length: steps }, (_, step) => {
      const channel = step % channels;
      const tap = Math.floor(step / channels);
      const row = Array.from({ length: count }, (_, lane) => {
        const output = firstChannel + lane;
        const own = beside === 1 || Math.floor(lane / outputs) === Math.floor(channel / inputs);
        const at = (output * taps + tap) * inputs + (channel % inputs);
        return own ? (weights[at] ?? 0) / 2 ** (lifts[output] ?? 0) : 0;
      });
      return paired ? twice(row, lanes, 0) : row;
    }),
  );
}

/** For each output group, what each lane adds to its sum and how that is shifted. */
function laneConstants(
  node: ConvolutionNode,
  { stage }: Context,
  { lanes, groups }: Blocks,
  paired: boolean,
): Sweep["constants"] {
  const shifts = stage.requantize?.shift ?? [];
  const lifts = liftsOf(node);
  return groups.map(({ firstChannel, outputs }) => {
    const own = Array.from({ length: outputs }, (_, lane): LaneConstants => {
      const channel = firstChannel + lane;
      const bias = node.bias[channel] ?? 0;
      return { bias, shift: shifts[channel % shifts.length] ?? 0, lift: lifts[channel] ?? 0 };
    });
    return paired ? twice(own, lanes, { bias: 0, shift: 0 }) : own;
  });
}

/** The same for both halves of the lanes. */
function twice<Item>(items: readonly Item[], half: number, none: Item): Item[] {
  return [...items, ...Array<Item>(half - items.length).fill(none), ...items];
}
