/** One digit of a number: ±2^position. */
export interface SignedDigit {
  readonly position: number;
  readonly negative: boolean;
}

/**
 * The canonical signed digits of an integer, lowest first: no two neighbours are nonzero, and no other way of writing
 * it with digits −1, 0 and 1 has fewer of them.
 *
 * @param value Below 2^52 in magnitude.
 * @see Reitwiesner 1960, Binary arithmetic
 */
export function signedDigits(value: number): SignedDigit[] {
  const digits: SignedDigit[] = [];
  let rest = value;
  for (let position = 0; rest !== 0; position++) {
    if (rest % 2 !== 0) {
      // The digit that makes what is left a multiple of four.
      const negative = ((rest % 4) + 4) % 4 === 3;
      digits.push({ position, negative });
      rest -= negative ? -1 : 1;
    }
    rest /= 2;
  }
  return digits;
}
