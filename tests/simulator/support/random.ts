/** Numbers from a seed, so that a failure can be run again. */
export interface Random {
  /** 0 ≤ result < limit. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  chance(probability: number): boolean;
  /** Uniform over all values of that many bits. */
  bits(width: number): bigint;
  /** A mix that visits corners: 0, 1, all ones, the sign bit, small numbers, single bits, uniform ones. */
  value(width: number): bigint;
}

/** Mulberry32: small, and good enough to shuffle test vectors. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  const bits = (width: number): bigint => {
    let value = 0n;
    for (let have = 0; have < width; have += 32) value = (value << 32n) | BigInt(next());
    return BigInt.asUintN(width, value);
  };
  const value = (width: number): bigint => {
    const sign = 1n << BigInt(width - 1);
    const corners = [0n, 1n, -1n, -2n, sign, sign - 1n, sign + 1n];
    switch (below(6)) {
      case 0:
        return BigInt.asUintN(width, pick(corners));
      case 1:
        return BigInt.asUintN(width, BigInt(below(9) - 4));
      case 2:
        return 1n << BigInt(below(width));
      default:
        return bits(width);
    }
  };
  return { below, pick, chance: (probability) => next() / 2 ** 32 < probability, bits, value };
}
