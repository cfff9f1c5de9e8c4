/** A number in −1..1 for a key: the same for equal keys and seeds. Source: the finaliser of MurmurHash3. */
export function noiseOf(key: number, seed: number): number {
  let hash = (key % 2 ** 32) ^ Math.floor(key / 2 ** 32) ^ Math.imul(seed + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 31 - 1;
}
