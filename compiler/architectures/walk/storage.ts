import { fail } from "@/lib/common/errors";
import type { IntegerGraph } from "../../integer/integer-graph";
import { type MapShape, sizeOf } from "../../integer/integer-maps";

/** Where the values of a node lie in the memory of maps: a byte each, pixel after pixel. */
export interface Place {
  readonly base: number;
  readonly channels: number;
  /** From a pixel to the next one. */
  readonly pixelStride: number;
}

/** Where every map lies in the memory of maps. */
export interface Storage {
  /** Of a node, of the input for −1. */
  placeOf(node: number): Place;
  /** Bytes of the memory. */
  readonly depth: number;
}

/** One turn of the array: nodes whose values it reads, and the one whose values it leaves. */
export interface Turn {
  readonly reads: readonly number[];
  readonly writes: number;
  /** Whether they go to the memories of weights instead. */
  readonly loads: boolean;
}

interface Region {
  readonly size: number;
  readonly first: number;
  last: number;
}

/** A node whose values lie inside of those of another. */
interface Inside {
  readonly whole: number;
  readonly offset: number;
  /** Whether pixels lie in pixels; else the whole is one pixel. */
  readonly pixelwise: boolean;
}

/**
 * Gives each map its place in one memory; maps that are not needed at the same time share one.
 *
 * @throws {AppError} `MODEL_UNSUPPORTED` when a map is part of two joined ones.
 */
export function storeMaps(graph: IntegerGraph, turns: readonly Turn[]): Storage {
  const inside = insideOf(graph, turns);
  const root = (node: number): number => {
    const next = inside.get(node);
    return next ? root(next.whole) : node;
  };
  const regions = new Map<number, Region>();
  const use = (node: number, at: number) => {
    const place = root(node);
    const found = regions.get(place);
    if (found) found.last = at;
    else regions.set(place, { size: sizeOf(mapOf(graph, place)), first: at, last: at });
  };
  use(-1, -1);
  for (const [at, { reads, writes, loads }] of turns.entries()) {
    for (const node of reads) use(node, at);
    if (!loads) use(writes, at);
  }
  const bases = new Map<number, number>();
  let depth = 0;
  for (const [node, region] of regions) {
    const others = [...bases].flatMap(([other, base]) => {
      const { first, last, size } = regions.get(other) ?? region;
      const meet = first <= region.last && region.first <= last;
      return meet ? [{ base, end: base + size }] : [];
    });
    let base = 0;
    for (const other of others.sort((a, b) => a.base - b.base)) {
      if (base + region.size > other.base) base = Math.max(base, other.end);
    }
    bases.set(node, base);
    depth = Math.max(depth, base + region.size);
  }
  return {
    depth,
    placeOf: (node) => {
      const { channels } = mapOf(graph, node);
      let [base, pixelStride, pixelwise] = [0, channels, true];
      let at = node;
      for (let next = inside.get(at); next; next = inside.get(at)) {
        base += next.offset;
        pixelwise = pixelwise && next.pixelwise;
        if (pixelwise) pixelStride = mapOf(graph, next.whole).channels;
        at = next.whole;
      }
      return { base: base + (bases.get(at) ?? 0), channels, pixelStride };
    },
  };
}

/** Maps that are joined lie where the whole is from the start. */
function insideOf(graph: IntegerGraph, turns: readonly Turn[]): Map<number, Inside> {
  const made = new Set(turns.map(({ writes }) => writes));
  const inside = new Map<number, Inside>();
  for (const [whole, node] of graph.nodes.entries()) {
    if (node.op !== "concat") continue;
    let offset = 0;
    for (const from of node.from) {
      const isMade = made.has(from) || graph.nodes[from]?.op === "concat";
      if (!isMade || inside.has(from)) {
        throw fail(
          "MODEL_UNSUPPORTED",
          `Node "${node.name}" joins a map that ${isMade ? "is joined elsewhere too" : "is the input"}, which FPGA boards do not take.`,
          { hint: "Use a CPU board, with the engine of the model's own make." },
        );
      }
      const part = mapOf(graph, from);
      const { height, width } = node.output;
      const pixelwise = part.height === height && part.width === width;
      inside.set(from, { whole, offset, pixelwise });
      offset += pixelwise ? part.channels : sizeOf(part);
    }
  }
  return inside;
}

/** The map that a node makes; of a requantisation or a table that of the node before it, the input is one long pixel. */
export function mapOf(graph: IntegerGraph, place: number): MapShape {
  const node = graph.nodes[place];
  if (node && "output" in node) return node.output;
  if (node?.op === "requantize" || node?.op === "table") return mapOf(graph, node.from);
  return { height: 1, width: 1, channels: graph.input.size };
}
