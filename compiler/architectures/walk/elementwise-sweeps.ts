import { fail } from "@/lib/common/errors";
import type { AddNode, MaxPoolNode } from "../../integer/integer-maps";
import { pixelWindow, plainView } from "../../model/maps/layers";
import { addressesOf } from "./addresses";
import { loop, type OutputGroup, type Sweep } from "./sweep";
import {
  type Context,
  commonOf,
  isSigned,
  largestDivisor,
  numbered,
  pixelLoops,
  reachesOver,
} from "./sweep-parts";

/** Both maps are read, value by value, with weights on the diagonal: 1, or what brings both onto one grid. */
export function addSweep(node: AddNode, context: Context): Sweep {
  const { graph, stage, storage, lanes } = context;
  const [left, right] = node.from.map((from) => storage.placeOf(from));
  if (!left || left.pixelStride !== right?.pixelStride) {
    throw fail("MODEL_UNSUPPORTED", `Node "${node.name}" adds a map that is joined to others.`, {
      hint: "Use a CPU board, with the engine of the model's own make.",
    });
  }
  const { channels } = node.output;
  const view = addressesOf(plainView(node.output), left, node.name);
  const width = largestDivisor(channels, lanes);
  const shift = stage.requantize?.shift[0] ?? 0;
  const { factors: [first, second] = [1, 1], bias = 0 } = node;
  return {
    ...commonOf(context),
    loops: {
      window: numbered([
        loop(width, { address: view.c }),
        loop(2, { address: right.base - left.base }),
      ]),
      ...pixelLoops(context, view, pixelWindow),
      group: [loop(channels / width, { address: width * view.c })],
    },
    groups: blocksOf(channels, width),
    start: { address: view.base, y: 0, x: 0 },
    edge: null,
    readsSigned: node.from.some((from) => isSigned(graph, from)),
    weightRows: 2 * width,
    rows: () => [...diagonal(width, first), ...diagonal(width, second)],
    constants: [Array.from({ length: width }, () => ({ bias, shift }))],
  };
}

/** Every value of a window is read, and leaves the array as it is; the largest is kept. */
export function poolSweep(node: MaxPoolNode, context: Context): Sweep {
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
    weightRows: width,
    rows: () => diagonal(width),
    constants: [Array.from({ length: width }, () => ({ bias: 0, shift: 0 }))],
  };
}

const diagonal = (width: number, factor = 1): number[][] =>
  Array.from({ length: width }, (_, row) =>
    Array.from({ length: width }, (_, lane) => (row === lane ? factor : 0)),
  );

const blocksOf = (channels: number, width: number): OutputGroup[] =>
  Array.from({ length: channels / width }, (_, block) => ({
    firstChannel: block * width,
    outputs: width,
  }));
