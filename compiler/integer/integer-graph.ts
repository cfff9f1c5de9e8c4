import type { MapNode } from "./integer-maps";

/**
 * The contract between software model, simulation and board: integer operators in order, each of which says in `from` what
 * it reads: the place of an earlier node, or −1 for the input. All three answer it bit for bit. The last node makes the
 * output. It is plain JSON; its canonical form is hashed into the artifact.
 */
export interface IntegerGraph {
  readonly schemaVersion: 2;
  readonly input: {
    readonly name: string;
    readonly size: number;
    readonly width: number;
    readonly fraction: number;
  };
  readonly nodes: readonly IntegerNode[];
  readonly output: {
    readonly name: string;
    readonly size: number;
    readonly width: number;
    readonly fraction: number;
  };
}

/** `accumulator[o] = bias[o] + Σ weights[o][i] · x[i]`, exact. */
export interface DenseNode {
  readonly op: "dense";
  readonly name: string;
  readonly from: number;
  readonly inputSize: number;
  readonly outputSize: number;
  /** Row-major by output: `weights[o * inputSize + i]`, signed, `weightWidth` bits. */
  readonly weightWidth: number;
  readonly weights: readonly number[];
  readonly bias: readonly number[];
  /** Bits an accumulator needs for any input of its format. */
  readonly accumulatorWidth: number;
}

/**
 * `y[i] = clamp((accumulator[i] + half) >> shift)`, as `requantizeElement`. There is one shift for
 * each element, or for each channel where the channels of a map's pixels follow each other.
 */
export interface RequantizeNode {
  readonly op: "requantize";
  readonly name: string;
  readonly from: number;
  readonly size: number;
  readonly shift: readonly number[];
  readonly width: number;
  readonly signed: boolean;
  readonly fraction: number;
  /** With ReLU the lower bound is 0 (then `signed` is false). */
  readonly relu: boolean;
  /**
   * What becomes of values half way between two steps; left out, they go up. `half-odd` is `half-even` of values that an
   * odd number was taken off. `floor`: nothing is rounded up at all.
   */
  readonly rounding?: "half-even" | "half-odd" | "floor";
  /** Tighter than what the format holds, both included; of quantised models that say so. */
  readonly bounds?: { readonly min: number; readonly max: number };
}

/** `y[o] = values[x[o] as a bit pattern]`: a function of one number, after a `requantize` of as many elements. */
export interface TableNode {
  readonly op: "table";
  readonly name: string;
  readonly from: number;
  readonly size: number;
  /** Bits and sign of what is looked up. */
  readonly inputWidth: number;
  readonly inputSigned: boolean;
  /** Entry for each input pattern, from all zeros to all ones (two's complement). */
  readonly values: readonly number[];
  readonly width: number;
  readonly signed: boolean;
  readonly fraction: number;
}

/**
 * The leaves that a row of ranks ends in, tree after tree. Input bytes are unsigned; what a branch compares is the rank
 * of one feature, `bytes` of them from `offset`, low byte first.
 */
export interface TreesNode {
  readonly op: "trees";
  readonly name: string;
  readonly from: number;
  readonly features: readonly RankFeature[];
  readonly trees: readonly IntegerTree[];
}

/** Where a feature's rank lies in the row that is sent, little-endian. */
export interface RankFeature {
  readonly offset: number;
  readonly bytes: 1 | 2;
}

/** Nodes in pre-order; every leaf has equally many values, none of them negative. */
export type IntegerTree = readonly (IntegerBranch | IntegerLeaf)[];

/** Leads to `yes` where `rank < limit`; a rank of all ones, which is a missing value, where `missingYes` says so. */
export interface IntegerBranch {
  readonly feature: number;
  readonly limit: number;
  readonly missingYes: boolean;
  readonly yes: number;
  readonly no: number;
}

/** What a leaf adds, on the grid of the scores. */
export interface IntegerLeaf {
  readonly values: readonly number[];
}

/** `y[o] = bias[o] + Σ x[terms[o]]`, exact. */
export interface SumNode {
  readonly op: "sum";
  readonly name: string;
  readonly from: number;
  readonly terms: readonly (readonly number[])[];
  readonly bias: readonly number[];
  /** Bits that hold every sum, signed. */
  readonly width: number;
}

/** A node of the integer graph, told apart by `op`. */
export type IntegerNode = DenseNode | RequantizeNode | TableNode | TreesNode | SumNode | MapNode;

/** A node whose place among others is not known yet. */
export type Unplaced<Node extends IntegerNode> = Node extends IntegerNode
  ? Omit<Node, "from">
  : never;

/** A node of a chain. */
export type Link = Unplaced<DenseNode | RequantizeNode | TableNode | TreesNode | SumNode>;

/** Nodes of which each reads the one before it, the first one the input. */
export function chained(nodes: readonly Link[]): IntegerNode[] {
  return nodes.map((node, index) => ({ ...node, from: index - 1 }));
}

/** The places that a node or a layer reads, −1 for the input. */
export function operandsOf({
  from,
}: {
  readonly from: number | readonly number[];
}): readonly number[] {
  return typeof from === "number" ? [from] : from;
}

/** Where the value of one element of a node can be seen in the compiled design. */
export interface Tap {
  readonly node: string;
  readonly element: number;
  /** Name of a signal kept in the simulation. */
  readonly signal: string;
  /** What the signal shows beyond the value; left out: nothing. */
  readonly offset?: number;
  /** Cycles after the one in which the core accepted the last input byte, after which the signal shows the value. */
  readonly cycle: number;
}
