/** Seeded pseudo-random numbers: the same on every machine, since only 32-bit integer arithmetic is used. */
export interface Random {
  /** Uniform integer in min..max, both included. */
  integer(min: number, max: number): number;
  /** Uniform in 0..1, 1 excluded, in steps of 2^-32. */
  uniform(): number;
  /** Mean 0, deviation 1, within ±6: the sum of twelve uniforms (no transcendental functions). */
  normal(): number;
}

/** xorshift32 (Marsaglia 2003, shifts 13 17 5), its state stirred once so that small seeds differ at once. */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  const uniform = () => next() / 2 ** 32;
  return {
    uniform,
    integer: (min, max) => min + Math.floor(uniform() * (max - min + 1)),
    normal: () => {
      let sum = -6;
      for (let draw = 0; draw < 12; draw++) sum += uniform();
      return sum;
    },
  };
}
