import { boundsOf } from "@/lib/common/fixed-point";
import type { IntegerGraph } from "../../integer/integer-graph";
import { randomFrom } from "../../random";

/** Multiplications that the software model may spend on all rows; simulations take a like time. */
const budget = 1.5e8;
const most = { single: 128, noise: 300, patches: 300, own: 300 } as const;
const fewest = 4;
const seed = 1;

/**
 * The rows that every level must answer alike: all zero, all minimum, all maximum; single values at maximum and minimum,
 * spread over the map; patches of one value; noise; the user's own. As many as the size of the model allows.
 *
 * @param products Multiplications that one row takes.
 */
export function mapVectors(
  { input }: IntegerGraph,
  products: number,
  own: readonly Int8Array[],
): Int8Array[] {
  const { size, width } = input;
  const { min, max } = boundsOf({ width, signed: true });
  const all = Object.values(most).reduce((sum, count) => sum + count, 0);
  const share = Math.min(1, budget / products / all);
  const count = (kind: keyof typeof most) => Math.max(fewest, Math.floor(most[kind] * share));
  const filled = (value: number) => new Int8Array(size).fill(value);
  const random = randomFrom(seed);

  const singles = Math.min(size, Math.ceil(count("single") / 2));
  const single = Array.from({ length: singles }, (_, index) => {
    const at = Math.floor(((index + 0.5) * size) / singles);
    return [filled(0).fill(max, at, at + 1), filled(0).fill(min, at, at + 1)];
  }).flat();
  const patches = Array.from({ length: count("patches") }, () => {
    const row = filled(random.integer(min, max));
    for (let patch = 0; patch < 6; patch++) {
      const first = random.integer(0, size - 1);
      row.fill(random.integer(min, max), first, first + random.integer(1, Math.max(1, size >> 2)));
    }
    return row;
  });
  const noise = Array.from({ length: count("noise") }, () =>
    Int8Array.from({ length: size }, () => random.integer(min, max)),
  );
  return [
    filled(0),
    filled(min),
    filled(max),
    ...single,
    ...patches,
    ...noise,
    ...own.slice(0, count("own")),
  ];
}
