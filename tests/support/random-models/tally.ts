import type { Plan } from "@/engines";
import { judgeCpu } from "./judge-cpu";
import { judgeFpga } from "./judge-fpga";
import type { RandomModel } from "./types";

/** How many models ended in which way. */
export interface Tally {
  served: number;
  planned: number;
  readonly refused: Map<string, number>;
  /** What no model may end in, with the seed to see it again. */
  readonly faults: string[];
}

export const newTally = (): Tally => ({ served: 0, planned: 0, refused: new Map(), faults: [] });

/** @returns The plan for its FPGA board, where it ends in one. */
export async function judge(model: RandomModel, tally: Tally): Promise<Plan | null> {
  const { seed, format, family, about } = model;
  try {
    const parsed = await judgeCpu(model);
    tally.served += 1;
    const { plan, refused } = await judgeFpga(parsed, seed);
    if (plan) {
      tally.planned += 1;
      return plan;
    }
    tally.refused.set(refused, (tally.refused.get(refused) ?? 0) + 1);
  } catch (error) {
    tally.faults.push(`${format} ${family} seed ${seed} (${about}): ${chainOf(error)}`);
  }
  return null;
}

function chainOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, place = ""] = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  const cause = error.cause === undefined ? place.trim() : chainOf(error.cause);
  return `${error.message} | ${cause}`;
}
