import { minimalDigits } from "../../integer/minimal-digits";
import { trailingZeros } from "../../integer/range";
import type { Term } from "./network";

/** `first ± second · 2^shift`: what two terms of a row are, but for a sign and a shift in common. */
export interface Pattern {
  readonly first: number;
  readonly second: Term;
}

const signalLimit = 2 ** 18;
const shiftLimit = 64;

/** A number for the pattern that two terms form, the same whatever their order. */
export function keyOf(one: Term, other: Term): number {
  const inOrder =
    one.shift < other.shift || (one.shift === other.shift && one.signal < other.signal);
  const low = inOrder ? one : other;
  const high = inOrder ? other : one;
  const difference = (high.shift - low.shift) * 2 + (low.negative === high.negative ? 0 : 1);
  return (low.signal * signalLimit + high.signal) * shiftLimit * 2 + difference;
}

export function patternOf(key: number): Pattern {
  const difference = key % (shiftLimit * 2);
  const pair = (key - difference) / (shiftLimit * 2);
  const signal = pair % signalLimit;
  return {
    first: (pair - signal) / signalLimit,
    second: { signal, shift: Math.floor(difference / 2), negative: difference % 2 === 1 },
  };
}

/** Which of some ways of writing an odd number with the fewest digits is taken. */
export type FormChoice = (odd: number, forms: number) => number;

/** The digits of a weight matrix as rows of terms of its inputs. Inputs that are constant are null and left out. */
export function termsOf(
  weights: readonly number[],
  inputs: readonly (number | null)[],
  choice: FormChoice,
): Term[][] {
  const rows: Term[][] = [];
  for (let base = 0; base < weights.length; base += inputs.length) {
    rows.push(
      inputs.flatMap((signal, input) =>
        signal === null ? [] : digitsOf(weights[base + input] ?? 0, choice, signal),
      ),
    );
  }
  return rows;
}

function digitsOf(weight: number, choice: FormChoice, signal: number): Term[] {
  if (weight === 0) return [];
  const zeros = trailingZeros(weight);
  const odd = Math.abs(weight) / 2 ** zeros;
  const forms = minimalDigits(odd);
  const form = forms[forms.length === 1 ? 0 : choice(odd, forms.length)] ?? [];
  return form.map(({ position, negative }) => ({
    signal,
    shift: position + zeros,
    negative: negative !== weight < 0,
  }));
}
