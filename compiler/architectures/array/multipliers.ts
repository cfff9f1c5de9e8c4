import type { ArrayPart } from "../../target/part";

/** What multiplies in a part, and for how many lanes. */
export interface Multipliers {
  readonly blocks: number;
  /** 2: a block has a mode in which it makes two products of eight bits. */
  readonly lanesPerBlock: 1 | 2;
  /** Whether a lane without a block can keep up with those that have one. */
  readonly cellsKeepUp: boolean;
}

/** How the lanes of one array multiply. */
export interface LaneMultipliers {
  /** Two lanes share a block, which must be named: no synthesis finds that mode by itself. */
  readonly paired: boolean;
  /** The last lanes, when there are more of them than blocks: their products are made of logic cells. */
  readonly inCells: number;
}

/** The multipliers of a part. */
export function multipliersOf({ costs, dsp }: Pick<ArrayPart, "costs" | "dsp">): Multipliers {
  if (dsp === 0) return { blocks: 0, lanesPerBlock: 1, cellsKeepUp: true };
  return { blocks: dsp, ...costs.multipliers };
}

/** The most lanes for which there are multipliers; null: as many as there are cells. */
export function mostLanes({ blocks, lanesPerBlock, cellsKeepUp }: Multipliers): number | null {
  return cellsKeepUp ? null : blocks * lanesPerBlock;
}

/** Shares a part's multipliers among lanes. Blocks make two products only where one each would not do. */
export function laneMultipliers(
  lanes: number,
  { blocks, lanesPerBlock }: Multipliers,
): LaneMultipliers {
  const paired = lanesPerBlock === 2 && lanes > blocks;
  // Without any block, what multiplies is left to synthesis, which has nothing but cells to take.
  return { paired, inCells: blocks === 0 ? 0 : Math.max(0, lanes - blocks * lanesPerBlock) };
}
