/** Half a step of an output's shift: added before the bits below are dropped, so that dropping them rounds. */
export const roundingOf = (shift: number): number => (shift > 0 ? 2 ** (shift - 1) : 0);
