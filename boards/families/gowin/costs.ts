import { type FamilyCosts, usualCosts } from "../family-costs";

/**
 * An `ALU` has one bit of an adder, with one more that begins the chain. A flip-flop that no logic of its own feeds takes a
 * table to reach it (21 sums of 11 bits: 249 tables and 241 `ALU`s mapped, 488 and 264 placed).
 */
export const costs: FamilyCosts = {
  ...usualCosts,
  adder: {
    bitsPerStep: 1,
    tablesPerBit: 1,
    tablesPerSubtractedBit: 1,
    tablesAround: 1,
    sharesCells: true,
  },
  loneRegistersTakeTables: true,
  trees: 1.13,
  digit: { cells: 13.3, growth: 0.75 },
};
