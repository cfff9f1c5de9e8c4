import { type FamilyCosts, usualCosts } from "../family-costs";

/** Mapped without its carry chains. */
export const costs: FamilyCosts = {
  ...usualCosts,
  adder: {
    bitsPerStep: 1,
    tablesPerBit: 2,
    tablesPerSubtractedBit: 2,
    tablesAround: 0,
    sharesCells: false,
  },
  digit: { cells: 20, growth: 0.75 },
};
