import { type FamilyCosts, usualCosts } from "../family-costs";

/**
 * Yosys 0.55 has one bit of an adder in a cell, and inverts a subtrahend in others. A lane's accumulator takes cells of its
 * own, since the cell of its adder feeds both. An `SB_MAC16` makes two products of 8 × 8 (Lattice FPGA-TN-02007), but a
 * product of cells reaches only 38 MHz.
 */
export const costs: FamilyCosts = {
  ...usualCosts,
  adder: {
    bitsPerStep: 1,
    tablesPerBit: 1,
    tablesPerSubtractedBit: 2,
    tablesAround: 0,
    sharesCells: true,
  },
  needsComplements: true,
  subtractBits: 0,
  subtractionWorth: 0.9,
  lane: { perBit: 3, perMultiplier: 190 },
  multipliers: { lanesPerBlock: 2, cellsKeepUp: false },
  digit: { cells: 14, growth: 0.8 },
};
