import { type ScoreRange, scoresHeld, softmaxReach } from "./softmax-reach";
import type { SoftmaxTrial } from "./softmax-trial";

/** As the report's notes say it. */
export function softmaxInWords(trial: SoftmaxTrial): string {
  const { terms, reach, scores, rows, beyond, worst, negative } = trial;
  const range = ([low, high]: ScoreRange) => `${scoreInWords(low)} to ${scoreInWords(high)}`;
  const held = `Softmax by ${termsInWords(terms)} in hardware, which ${terms === 1 ? "holds" : "hold"} scores from ${range(reach)} to 1 %.`;
  const distance = `Probabilities are off by up to ${worst.toPrecision(2)}`;
  if (beyond === 0) {
    return `${held} The scores of all ${rows} rows, ${range(scores)}, are within that. ${distance}.`;
  }
  const below = negative === 0 ? "" : `, and ${negative} rows have one below 0`;
  return `${held} Of ${rows} rows ${beyond} have scores beyond that, from ${range(scores)}: these may be answered wrongly. ${distance}${below}.`;
}

/** The same, as far as an inspection knows it; null where the terms hold all scores. */
export function softmaxWarning(terms: number, scores: ScoreRange): string | null {
  if (scoresHeld(scores, terms)) return null;
  const [low, high] = softmaxReach(terms).map(scoreInWords);
  const [least, most] = scores.map(scoreInWords);
  return `Softmax by ${termsInWords(terms)} holds scores from ${low} to ${high}; the model's go from ${least} to ${most} on made-up rows. Beyond that probabilities are wrong.`;
}

const termsInWords = (terms: number): string => `${terms} ${terms === 1 ? "term" : "terms"}`;

const scoreInWords = (score: number): string =>
  Math.abs(score) < 1e5 ? score.toFixed(2) : score.toPrecision(2);
