import { type Random, randomFrom } from "@/compiler/random";

/** Seeded choices: equal seeds make equal models. */
export interface Draw extends Random {
  /** Whether something of that likelihood happens. */
  chance(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

export function drawFrom(seed: number): Draw {
  const random = randomFrom(seed);
  return {
    ...random,
    chance: (share) => random.uniform() < share,
    pick: <T>(choices: readonly T[]): T => {
      const choice = choices[random.integer(0, choices.length - 1)];
      if (choice === undefined) throw new RangeError("There is nothing to pick from.");
      return choice;
    },
  };
}
