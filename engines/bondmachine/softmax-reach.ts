import { numberTypeOf } from "../reference/number-type";
import { exponentialWord } from "../reference/softmax-words";

/** The only type of softmax in hardware: of no other was an answer recorded. */
export const softmaxType = "float32";

/** How far an exponential may be off, as a share of it: probabilities are then off by twice that share of them at most. */
const softmaxError = 0.01;

/** The most terms that are chosen by themselves: with more, only scores above 14 are nearer. */
const mostChosen = 24;

/** Least and largest score. */
export type ScoreRange = readonly [low: number, high: number];

/** Whether so many terms give the exponential of one score to 1 %. */
function holds(score: number, terms: number): boolean {
  const { toReal, toWord } = numberTypeOf(softmaxType);
  const power = toReal(exponentialWord(toWord(score), { type: softmaxType, terms }));
  return Math.abs(power / Math.exp(score) - 1) <= softmaxError;
}

const step = 0.01;
/** Beyond this the exponential itself leaves float32. */
const farthest = 88;
const known = new Map<number, ScoreRange>();

/**
 * The scores around 0 whose exponential so many terms give to 1 %, in hundredths. Below -6.7 no number of terms does: the sum's
 * parts are then so much larger than itself that float32 keeps none of it.
 */
export function softmaxReach(terms: number): ScoreRange {
  const before = known.get(terms);
  if (before) return before;
  const reachAlong = (sign: 1 | -1) => {
    let steps = 0;
    while (steps * step < farthest && holds(sign * (steps + 1) * step, terms)) steps++;
    return (sign * steps) / (1 / step);
  };
  const reach = [reachAlong(-1), reachAlong(1)] as const;
  known.set(terms, reach);
  return reach;
}

/** Whether so many terms hold all of some scores. */
export function scoresHeld(scores: readonly number[], terms: number): boolean {
  const [low, high] = softmaxReach(terms);
  return scores.every((score) => score >= low && score <= high);
}

/**
 * The fewest terms that hold scores, or the most that are of use where none do. Even ones: their sum is above 0 for any score, so
 * that answers to larger ones stay between 0 and 1, while an odd number's may be anything where sums of both signs meet.
 */
export function termsFor(scores: ScoreRange): number {
  for (let terms = 2; terms < mostChosen; terms += 2) {
    if (scoresHeld(scores, terms)) return terms;
  }
  return mostChosen;
}
