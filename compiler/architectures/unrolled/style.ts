import type { FamilyCosts } from "@/boards";
import type { Term } from "./network";
import type { Sharing } from "./share-patterns";
import type { Summation } from "./sum-row";

export type Style = Sharing & Summation;

/** Ways of making a layer that are tried, as far as the work allows; more than this many find little. */
const mostTrials = 24;
/** Pairs of digits that all trials of a layer may look at: about a second. */
const pairBudget = 600_000;

/** What sharing and summation weigh in each trial, found by trying on random networks. The first is a fixed one. */
export function stylesOf(
  { subtractBits, subtractionWorth }: FamilyCosts,
  rows: readonly (readonly Term[])[],
): Style[] {
  const pairs = rows.reduce((sum, { length }) => sum + length * length, 1);
  const trials = Math.min(mostTrials, Math.max(1, Math.floor(pairBudget / pairs)));
  return Array.from({ length: trials }, (_, trial) => ({
    extraLevels: 0,
    seed: trial,
    chance: trial === 0 ? 0 : 0.2,
    subtractBits,
    subtractionWorth,
    waitingBits: [0.3, 0.6, 0.15][trial % 3] ?? 0.3,
  }));
}
