import type { FamilyCosts } from "@/boards";
import type { Term } from "./network";
import { noiseOf } from "./noise";
import type { FormChoice } from "./pattern";
import type { Sharing } from "./share-patterns";
import type { Summation } from "./sum-row";

/** What decides how a layer is made of adders. */
export interface Style extends Sharing, Summation {
  /** Draws of how weights are written, the last that meets a weight counts; canonical where none does. */
  readonly forms: readonly FormDraw[];
}

interface FormDraw {
  readonly seed: number;
  /** Of all weights, how many it meets. */
  readonly share: number;
}

/** Ways of making a layer that are tried, as far as the work allows; twice as many take half a percent off. */
const mostTrials = 48;
/** Pairs of digits that all trials of a layer may look at: about a second. */
const pairBudget = 1_000_000;
/** Trials that have nothing to do with each other; those after them change the best a little. */
const freeTrials = 12;
const noise = { free: 0.2, change: 0.15 } as const;
const share = { free: 1, change: 0.15 } as const;

/** How many ways of making a layer of such rows are tried at most. */
export function trialsOf(rows: readonly (readonly Term[])[]): number {
  const pairs = rows.reduce((sum, { length }) => sum + length * length, 1);
  return Math.min(mostTrials, Math.max(1, Math.floor(pairBudget / pairs)));
}

/**
 * What sharing and summation weigh in a trial, found by trying on random networks. The first is a fixed one.
 *
 * @param best What made the best layer so far; null before there is any.
 */
export function styleOf(
  { subtractBits, subtractionWorth, constantsInChains }: FamilyCosts,
  trial: number,
  best: Style | null,
): Style {
  const seed = trial;
  if (best && trial >= freeTrials) {
    return {
      ...best,
      noise: [...best.noise, { seed, amount: noise.change }],
      forms: [...best.forms, { seed, share: share.change }],
    };
  }
  return {
    noise: trial === 0 ? [] : [{ seed, amount: noise.free }],
    forms: trial === 0 ? [] : [{ seed, share: share.free }],
    subtractBits,
    subtractionWorth,
    constantsInChains,
    waitingBits: [0.3, 0.6, 0.15][trial % 3] ?? 0.3,
  };
}

/** Which way of writing its weights a style takes: the same for all weights that are one number but for sign and shift. */
export function formChoiceOf({ forms }: Style): FormChoice {
  const part = (odd: number, seed: number) => (noiseOf(odd, seed) + 1) / 2;
  return (odd, count) => {
    const draw = forms.findLast(({ seed, share: met }) => part(odd, 2 * seed + 1) < met);
    return draw ? Math.min(count - 1, Math.floor(part(odd, 2 * draw.seed) * count)) : 0;
  };
}
