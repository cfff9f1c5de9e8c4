import { type NumberTypeId, numberTypeOf } from "./number-type";

/**
 * Probabilities of scores as the machine's `softmax` neuron computes them, rounded after every operation: of each score x the
 * exponential by so many terms, from the last inwards, `h = 1 + x·h/k`, and then each of them divided by their sum. Nothing is
 * taken off the scores before, so answers of large ones are far from probabilities, and below 0 even.
 *
 * @param scores Words of a float.
 * @throws {RangeError} for a type that does not divide.
 */
export function softmaxWords(
  scores: readonly number[],
  { type, terms }: { readonly type: NumberTypeId; readonly terms: number },
): readonly number[] {
  const { addWords, divideWords, toWord } = numberTypeOf(type);
  if (!divideWords) throw new RangeError(`${type} has no division.`);
  const powers = scores.map((score) => exponentialWord(score, { type, terms }));
  const sum = powers.reduce(addWords, toWord(0));
  return powers.map((power) => divideWords(power, sum));
}

/** The machine's exponential of one score. @throws {RangeError} for a type that does not divide. */
export function exponentialWord(
  score: number,
  { type, terms }: { readonly type: NumberTypeId; readonly terms: number },
): number {
  const { addWords, multiplyWords, divideWords, toWord } = numberTypeOf(type);
  if (!divideWords) throw new RangeError(`${type} has no division.`);
  const one = toWord(1);
  let power = one;
  for (let term = terms; term >= 1; term--) {
    power = addWords(one, divideWords(multiplyWords(score, power), toWord(term)));
  }
  return power;
}
