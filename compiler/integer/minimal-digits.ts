import { type SignedDigit, signedDigits } from "./signed-digits";

const known = new Map<number, readonly (readonly SignedDigit[])[]>();

/**
 * All ways of writing a natural number with as few signed digits as it needs, lowest digit first; the canonical way comes
 * first. 3 is 4 − 1 and 2 + 1.
 */
export function minimalDigits(value: number): readonly (readonly SignedDigit[])[] {
  const found = known.get(value);
  if (found) return found;
  const canonical = signedDigits(value);
  const others = waysOf(value, canonical.length, 0).filter(
    (way) => JSON.stringify(way) !== JSON.stringify(canonical),
  );
  const all = [canonical, ...others];
  known.set(value, all);
  return all;
}

/** Ways of writing `value · 2^position` with at most so many digits. */
function waysOf(value: number, most: number, position: number): readonly SignedDigit[][] {
  if (value === 0) return [[]];
  if (most === 0) return [];
  if (value % 2 === 0) return waysOf(value / 2, most, position + 1);
  return [false, true].flatMap((negative) =>
    waysOf((value - (negative ? -1 : 1)) / 2, most - 1, position + 1).map((rest) => [
      { position, negative },
      ...rest,
    ]),
  );
}
