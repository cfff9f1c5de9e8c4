/** Beyond this no grid of a network lies; doubles go to 1074. */
const finest = 160;

/** The coarsest power-of-two grid on which all values lie: `value · 2^fraction` is whole for each. 0 if all are 0. */
export function exactFraction(values: ArrayLike<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of Array.from(values)) {
    if (value === 0) continue;
    let fraction = 0;
    while (fraction < finest && !Number.isInteger(value * 2 ** fraction)) fraction++;
    while (fraction > -finest && Number.isInteger(value * 2 ** (fraction - 1))) fraction--;
    most = Math.max(most, fraction);
  }
  return Number.isFinite(most) ? most : 0;
}

/** Whether a number is whole and fits so many bits, symmetric around 0. */
export const isWhole =
  (bits: number) =>
  (value: number): boolean =>
    Number.isInteger(value) && Math.abs(value) < 2 ** (bits - 1);
