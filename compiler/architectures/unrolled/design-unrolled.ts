import type { FamilyCosts } from "@/boards";
import type { DenseNode, IntegerGraph, Tap } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { signedDigits } from "../../integer/signed-digits";
import { buildNetwork } from "./build-network";
import { emitCore } from "./emit";
import type { CellEstimate } from "./estimate";
import { figuresOf } from "./figures";
import type { Network } from "./network";
import { placeInTime } from "./pipeline";
import { type BlockRam, placeTables } from "./place-tables";
import { tapsOf } from "./taps";
import type { UnrolledFigures } from "./unrolled-outline";

export interface UnrolledOptions {
  /** What adders cost on the part. */
  readonly costs: FamilyCosts;
  /** Adders one after the other between two registers: 1 for the highest clock, more for fewer cycles. */
  readonly registerEvery?: number;
  /** Block RAM for tables. Left out: none, so that tables are logic. */
  readonly ram?: BlockRam;
  /** Ways of making each layer that are tried at most: 1 is quick, and a few percent too large. */
  readonly trials?: number;
}

/** A graph as one adder graph, without what is around the core. */
export interface UnrolledCore {
  readonly latencyCycles: number;
  readonly figures: UnrolledFigures;
  readonly estimate: CellEstimate & { readonly bramBlocks: number };
  readonly taps: readonly Tap[];
  /** Signals are numbered layer by layer. */
  readonly layers: readonly { readonly name: string; readonly lastSignal: number }[];
  readonly emit: () => string;
}

/** Unrolls a graph. Its core takes one row at a time, the module `network` within it one in every cycle. */
export function unroll(graph: IntegerGraph, options: UnrolledOptions): UnrolledCore {
  const { costs, registerEvery = 1, ram = noRam, trials } = options;
  const network = buildNetwork(graph, costs, trials);
  const pipeline = placeInTime(network, registerEvery);
  const figures = figuresOf(graph, { network, pipeline }, costs);
  const tables = placeTables(figures.tables, ram);
  return {
    latencyCycles: figures.latencyCycles,
    figures,
    estimate: {
      lut: figures.lut + tables.lut,
      flipFlops: figures.flipFlops,
      bramBlocks: tables.bramBlocks,
    },
    taps: tapsOf(graph, network, pipeline),
    layers: layersOf(graph).map(({ dense }, index) => ({
      name: dense.name,
      lastSignal: lastSignalOf(network, index),
    })),
    emit: () => emitCore(graph, network, pipeline, { costs, tables: tables.style }),
  };
}

function lastSignalOf({ layers }: Network, index: number): number {
  const { inputs = [], sums = [], values = [] } = layers[index] ?? {};
  const made = [...inputs, ...sums, ...values];
  return Math.max(...made.map((value) => (value?.kind === "term" ? value.term.signal : 0)));
}

const noRam: BlockRam = { blocks: 0, blockBits: 4096 };

/** Adders that are left of each digit when patterns are shared as well as they ever were, and the bits of the narrowest. */
const leastAddersPerDigit = 0.4;
const leastBitsPerAdder = 8;

/** Cells that no unrolled form of a graph is below: known without making it. */
export function leastCells(graph: IntegerGraph): number {
  const digits = layersOf(graph).reduce((sum, { dense }) => sum + digitsOf(dense), 0);
  return Math.floor(digits * leastAddersPerDigit * leastBitsPerAdder);
}

/** Signed digits of all weights of a layer that are not 0. */
function digitsOf({ weights }: Pick<DenseNode, "weights">): number {
  return weights.reduce((sum, weight) => sum + signedDigits(weight).length, 0);
}
