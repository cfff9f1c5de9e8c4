import { type Random, randomFrom } from "@/compiler/random";

/** The random numbers of one case of a seed: it can be made again without those before it. */
export function randomOf(seed: number, number: number): Random {
  const random = randomFrom((Math.imul(seed, 0x9e3779b1) + number) | 0);
  // Neighbours begin alike.
  for (let i = 0; i < 8; i += 1) random.uniform();
  return random;
}

/** One of these. */
export const pick = <T>(from: readonly T[], random: Random): T =>
  from[random.integer(0, from.length - 1)] as T;

/** True once in so many. */
export const chance = (one: number, random: Random): boolean => random.integer(1, one) === 1;
