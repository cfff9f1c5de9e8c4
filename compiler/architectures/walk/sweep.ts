import type { RequantizeNode, TableNode } from "../../integer/integer-graph";

/** One loop of the walk through memory: how often, and what each further time adds to address, coordinates and numbers. */
export interface Loop {
  readonly count: number;
  readonly address: number;
  readonly y: number;
  readonly x: number;
  /** Rows of the weight memories. */
  readonly row: number;
  /** Groups of outputs, whose constants lie together. */
  readonly group: number;
}

/** A loop that adds nothing but what is named. */
export const loop = (count: number, change: Partial<Loop>): Loop => ({
  count,
  address: 0,
  y: 0,
  x: 0,
  row: 0,
  group: 0,
  ...change,
});

/** Which loops are inside of which: products of a sum, windows of one pooled value, groups of outputs, pixels. */
export const roles = ["window", "pool", "group", "pixel"] as const;
/** What a loop of a sweep goes through. */
export type Role = (typeof roles)[number];

/** Up to `lanes` outputs that are summed together. */
export interface OutputGroup {
  readonly firstChannel: number;
  readonly outputs: number;
}

/**
 * One turn of the array over the memory of maps: nested loops, innermost first in each role. Every layer of the integer
 * graph is one of these, whatever it computes.
 */
export interface Sweep {
  /** Nodes of the integer graph that it shows: sums, requantised values, what is looked up, pooled values. */
  readonly nodes: {
    readonly sum: string | null;
    readonly value: string | null;
    readonly table: string | null;
    readonly pool: string | null;
  };
  readonly loops: Readonly<Record<Role, readonly Loop[]>>;
  /** Output groups in the order of their loops. */
  readonly groups: readonly OutputGroup[];
  /** Where the first product is read, and where in the map that is. */
  readonly start: { readonly address: number; readonly y: number; readonly x: number };
  /** The map, where some window reaches over its edges; what is read there. */
  readonly edge: { readonly height: number; readonly width: number; readonly value: number } | null;
  readonly readsSigned: boolean;
  /** Rows of the weight memories. */
  readonly weightRows: number;
  /** For each of them, the weight of each lane. Made when it is asked for: sizes do without. */
  readonly rows: () => readonly (readonly number[])[];
  /** For each group of constants, those of each lane. */
  readonly constants: readonly (readonly LaneConstants[])[];
  /** Values are written one after the other; behind each pixel so many bytes are left out. */
  readonly writes: { readonly base: number; readonly skip: number };
  /** From a pooled value's sums to those of the next one, in rows and columns of sums. */
  readonly poolStrides: readonly [y: number, x: number];
  /** Width of the sums before pooling, where pixels are counted; and of what is written. */
  readonly summedWidth: number;
  readonly writtenWidth: number;
  readonly channels: number;
  readonly relu: boolean;
  /** Of the values that are written: bits, and whether they have a sign. */
  readonly format: { readonly width: number; readonly signed: boolean };
  /** How sums are requantised. */
  readonly clamp: Clamp;
  /** What requantised values are looked up in; null: nothing. */
  readonly table: TableNode | null;
  /** Its values are the weights of a later sweep, by its place among all; null: they are a map, or the scores. */
  readonly loads: number | null;
  /** Whether it is the last one, whose values are the scores. */
  readonly answers: boolean;
  /** Two neighbouring pixels are summed at once, half of the lanes each; null: one. */
  readonly pair: Pair | null;
}

/** What one lane adds to its sum, and by how many bits that is then shifted. */
export interface LaneConstants {
  readonly bias: number;
  readonly shift: number;
  /** Bits by which the lane's sum is shifted to the left first: its weights are stored without them. Left out: none. */
  readonly lift?: number;
}

/** The bounds of requantised values, both included, and how they are rounded; null: half way between two steps, up. */
export interface Clamp {
  readonly min: number;
  readonly max: number;
  readonly rounding: RequantizeNode["rounding"] | null;
}

/** How the second of two neighbouring pixels is read. */
export interface Pair {
  /** From what the first pixel reads to what the second one reads. */
  readonly address: number;
  readonly x: number;
  /** Whether the last pixel of a line is alone. */
  readonly odd: boolean;
}

/** Turns of nested loops. */
export const countOf = (loops: readonly Loop[]): number =>
  loops.reduce((product, { count }) => product * count, 1);
