/** Share of a part's cells that a design may take; placement gets slow, then impossible, above it. */
export const usableCells = 0.75;
