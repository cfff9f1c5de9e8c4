/**
 * What a core takes of a family's parts, before any tool runs: figures fitted to designs that were placed on them. Plain
 * data; a family that says nothing of a figure is taken to be as most are.
 */
export interface FamilyCosts {
  /** What an adder takes, in tables of four inputs. */
  readonly adder: {
    /** Bits that carry cells come in. */
    readonly bitsPerStep: number;
    readonly tablesPerBit: number;
    readonly tablesPerSubtractedBit: number;
    /** Where the chain begins and ends. */
    readonly tablesAround: number;
    /** Whether one cell holds a table and a flip-flop of its own, so that cells are whichever is more. */
    readonly sharesCells: boolean;
  };
  /** Whether carry chains take a subtrahend only from registers that hold its complement. */
  readonly needsComplements: boolean;
  /** Whether a carry chain sums two numbers and a constant, so that constants take no adders. */
  readonly constantsInChains: boolean;
  /** Bits that a subtraction counts more than an addition where adders are shared. */
  readonly subtractBits: number;
  /** What a subtraction is worth beside an addition where terms are summed. */
  readonly subtractionWorth: number;
  /** Whether a table lies on the way to a flip-flop that no logic of its own feeds. */
  readonly loneRegistersTakeTables: boolean;
  /** An array's cells: each bit of a lane, and a lane without a multiplier block. */
  readonly lane: { readonly perBit: number; readonly perMultiplier: number };
  readonly multipliers: {
    /** 2: a block has a mode in which it makes two products of eight bits. */
    readonly lanesPerBlock: 1 | 2;
    /** Whether a lane without a block can keep up with those that have one. */
    readonly cellsKeepUp: boolean;
  };
  /** Cells of a core that walks through feature maps, beside UP5K and HX8K. */
  readonly walk: number;
  /** Cells of trees, beside HX8K. */
  readonly trees: number;
  /**
   * Cells of one digit of a weight where it is the only one and values have 8 bits, and how they grow with those bits: as
   * this power of them. Fitted to what the compiler's own estimate says of 79 nets.
   */
  readonly digit: { readonly cells: number; readonly growth: number };
}

/** Of a family of which nothing more is known. */
export const usualCosts: FamilyCosts = {
  adder: {
    bitsPerStep: 1,
    tablesPerBit: 1,
    tablesPerSubtractedBit: 1,
    tablesAround: 1,
    sharesCells: false,
  },
  needsComplements: false,
  constantsInChains: false,
  subtractBits: 1,
  subtractionWorth: 1,
  loneRegistersTakeTables: false,
  lane: { perBit: 2, perMultiplier: 160 },
  multipliers: { lanesPerBlock: 1, cellsKeepUp: false },
  walk: 1,
  trees: 1,
  digit: { cells: 11.3, growth: 0.75 },
};
