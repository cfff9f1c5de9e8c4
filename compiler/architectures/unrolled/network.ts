import type { Range } from "../../integer/range";

/** `±(signal · 2^shift)`. */
export interface Term {
  readonly signal: number;
  readonly shift: number;
  readonly negative: boolean;
}

/** A value of the network that the data decides, or one that is the same for every row. */
export type Value =
  | { readonly kind: "term"; readonly term: Term; readonly constant: number }
  | { readonly kind: "constant"; readonly constant: number };

/** One input value of a row. */
interface InputSignal extends Range {
  readonly kind: "input";
  readonly element: number;
}

/** `left ± right · 2^shift`: one adder, whose `shift` low bits are wires. */
interface SumSignal extends Range {
  readonly kind: "sum";
  readonly left: number;
  readonly right: number;
  readonly shift: number;
  readonly negative: boolean;
}

/** `left + right · 2^shift + constant`: one adder, of parts whose carry chains take a constant besides. */
interface BiasedSignal extends Range {
  readonly kind: "biased";
  readonly left: number;
  readonly right: number;
  readonly shift: number;
  readonly constant: number;
}

/** `constant ± source`. */
interface OffsetSignal extends Range {
  readonly kind: "offset";
  readonly source: number;
  readonly negative: boolean;
  readonly constant: number;
}

/** `clamp((source · 2^left) >> right) - centre`: wires, and a stage of logic where the bounds can be reached. */
interface ClampSignal extends Range {
  readonly kind: "clamp";
  readonly source: number;
  /** Bits dropped at the low end; below 0, zeros put there. */
  readonly drop: number;
  /** Added after dropping: what a constant left in the bits below the source. */
  readonly constant: number;
  readonly bounds: Range;
  /** Whether the lowest bit goes where nothing was left below it: half way between two steps, to the even one. */
  readonly toEven?: boolean;
  /** Subtracted at the end, by turning the top bit: half of what natural numbers of this width count to. */
  readonly centre?: number;
}

/** What a table of the layer holds for the source's bits: a memory or logic, with a register behind it. */
interface TableSignal extends Range {
  readonly kind: "table";
  readonly source: number;
  readonly layer: number;
}

export type Signal =
  | InputSignal
  | SumSignal
  | BiasedSignal
  | OffsetSignal
  | ClampSignal
  | TableSignal;

/** What one layer made of its inputs. */
export interface NetworkLayer {
  readonly inputs: readonly Value[];
  /** `accumulator + rounding` of each output, where rounding is half a step of its shift; null where nothing uses it. */
  readonly sums: readonly (Value | null)[];
  readonly values: readonly (Value | null)[];
  /** What the layer's table makes of its values; null where it has none. */
  readonly looked: readonly (Value | null)[] | null;
}

/** What the next layer reads. */
export const resultsOf = ({ values, looked }: NetworkLayer): readonly (Value | null)[] =>
  looked ?? values;

/** A whole network as adders, one of each for every row at once: signals in an order in which they can be computed. */
export interface Network {
  readonly signals: readonly Signal[];
  readonly layers: readonly NetworkLayer[];
}
