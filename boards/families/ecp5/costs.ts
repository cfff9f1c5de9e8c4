import { type FamilyCosts, usualCosts } from "../family-costs";

/**
 * A `CCU2C` has two bits of an adder, and nextpnr-ecp5 0.11 puts two more cells before every carry chain (21 sums of 11
 * bits: 231 tables, 126 `CCU2C`, 527 cells placed). A lone flip-flop takes no cell. Products of cells are quick enough, and
 * the 9 × 9 split of a multiplier has no open tools. A digit is 3 % below the estimate, nearer to placed nets.
 */
export const costs: FamilyCosts = {
  ...usualCosts,
  adder: {
    bitsPerStep: 2,
    tablesPerBit: 1,
    tablesPerSubtractedBit: 1,
    tablesAround: 2,
    sharesCells: false,
  },
  constantsInChains: true,
  subtractBits: 2,
  multipliers: { lanesPerBlock: 1, cellsKeepUp: true },
  walk: 0.87,
  trees: 0.86,
  digit: { cells: 12.1, growth: 0.5 },
};
