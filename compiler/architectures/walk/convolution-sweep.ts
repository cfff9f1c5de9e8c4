import type { ConvolutionNode } from "../../integer/integer-maps";
import { addressesOf, splitChannels } from "./addresses";
import { liftsOf } from "./lifts";
import { type LaneConstants, loop, type OutputGroup, type Sweep } from "./sweep";
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
  const lifts = liftsOf(node);
  const weightRows = () =>
    outputGroups.flatMap(({ firstChannel, outputs: count }) =>
      Array.from({ length: steps }, (_, step) => {
        const channel = step % (inputs * beside);
        const tap = Math.floor(step / (inputs * beside));
        const row = Array.from({ length: count }, (_, lane) => {
          const output = firstChannel + lane;
          const own = beside === 1 || Math.floor(lane / outputs) === Math.floor(channel / inputs);
          const at = (output * rows * columns + tap) * inputs + (channel % inputs);
          return own ? (weights[at] ?? 0) / 2 ** (lifts[output] ?? 0) : 0;
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
    weightRows: outputGroups.length * steps,
    rows: weightRows,
    constants: outputGroups.map(({ firstChannel, outputs: count }) => {
      const own = Array.from({ length: count }, (_, lane): LaneConstants => {
        const channel = firstChannel + lane;
        const bias = node.bias[channel] ?? 0;
        return { bias, shift: shifts[channel % shifts.length] ?? 0, lift: lifts[channel] ?? 0 };
      });
      return paired ? twice(own, lanes, { bias: 0, shift: 0 }) : own;
    }),
  };
}

/** The same for both halves of the lanes. */
function twice<Item>(items: readonly Item[], half: number, none: Item): Item[] {
  return [...items, ...Array<Item>(half - items.length).fill(none), ...items];
}
