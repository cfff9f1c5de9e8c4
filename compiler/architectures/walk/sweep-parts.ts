import { boundsOf } from "@/lib/common/fixed-point";
import type { IntegerGraph, RequantizeNode } from "../../integer/integer-graph";
import type { ConvolutionNode, MaxPoolNode, Window } from "../../integer/integer-maps";
import { requantizedBounds } from "../../integer/requantize";
import { pixelWindow } from "../../model/maps/layers";
import type { Addresses } from "./addresses";
import type { Stage } from "./stages";
import { mapOf, type Storage } from "./storage";
import { type Clamp, type Loop, loop } from "./sweep";

/** One stage among all, and the array that it is laid out for. */
export interface Context {
  readonly graph: IntegerGraph;
  readonly stage: Stage;
  readonly storage: Storage;
  readonly lanes: number;
  readonly answers: boolean;
  /** The place of the stage whose weights it makes; null: of none. */
  readonly loads: number | null;
}

/** What all sweeps have: names, where they write, and formats. */
export function commonOf({ graph, stage, storage, answers, loads }: Context) {
  const { sum, requantize, table, pool, writes } = stage;
  const written = mapOf(graph, writes);
  const place = storage.placeOf(writes);
  const format = formatOf(graph, writes);
  return {
    nodes: {
      sum: sum?.name ?? null,
      value: requantize?.name ?? null,
      table: table?.name ?? null,
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
    clamp: requantize ? clampOf(requantize) : { ...boundsOf(format), rounding: null },
    table,
    loads,
    answers,
    pair: null,
  };
}

const clampOf = (node: RequantizeNode): Clamp => ({
  ...requantizedBounds(node),
  rounding: node.rounding ?? null,
});

/** Loops over the windows that are pooled into one value, and over the values that are left. */
export function pixelLoops(
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
  const pooled = sum && pool ? pool.window : pixelWindow;
  const [rows, columns] = pooled.kernel;
  const { height, width } = mapOf(graph, writes);
  return {
    pool: [loop(columns, step(0, 1)), loop(rows, step(1, 0))],
    pixel: [loop(width, step(0, pooled.strides[1])), loop(height, step(pooled.strides[0], 0))],
  };
}

/** Numbers the rows of weights in the order of the loops. */
export function numbered(loops: readonly Loop[]): Loop[] {
  let row = 1;
  return loops.map((each) => {
    const result = { ...each, row };
    row *= each.count;
    return result;
  });
}

/** The largest divisor that is not above a limit. */
export function largestDivisor(value: number, limit: number): number {
  for (let divisor = Math.min(value, limit); divisor > 1; divisor--) {
    if (value % divisor === 0) return divisor;
  }
  return 1;
}

/** Whether some window reaches over the edge of its map. */
export function reachesOver(
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
  if (node.op === "requantize" || node.op === "table") {
    return { width: node.width, signed: node.signed };
  }
  if (node.op === "max-pool") return formatOf(graph, node.from);
  if (node.op !== "concat") throw new RangeError(`${node.name} leaves sums.`);
  const parts = node.from.map((from) => formatOf(graph, from));
  return parts.find(({ signed }) => signed) ?? parts[0] ?? { width: 8, signed: false };
}

export const isSigned = (graph: IntegerGraph, place: number): boolean =>
  formatOf(graph, place).signed;
