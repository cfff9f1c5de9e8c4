import type { FamilyCosts } from "@/boards";

/** Of each lane: a weight, a product, and one more for each bit of the accumulator. The rest is in core and shell. */
const registers = { fixed: 400, perLane: 24, perLaneBit: 1 } as const;

/**
 * Cells of flip-flops that no logic of their own feeds, in families where a table lies on the way to each. Fitted to arrays
 * of 16, 32 and 39 lanes placed on GW2A-18.
 */
export const loneRegisterCells = (
  { loneRegistersTakeTables }: FamilyCosts,
  { lanes, accumulatorWidth }: { readonly lanes: number; readonly accumulatorWidth: number },
): number =>
  loneRegistersTakeTables
    ? registers.fixed + lanes * (registers.perLane + registers.perLaneBit * accumulatorWidth)
    : 0;
