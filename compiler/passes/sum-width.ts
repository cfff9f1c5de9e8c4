/**
 * How far the sums of a layer reach beyond one product: the largest `Σ |w| / max |w|` of an output.
 *
 * @param weights Row-major by output, `size` of them for each.
 */
export function reachOf(weights: ArrayLike<number>, size: number): number {
  let reach = 1;
  for (let first = 0; first < weights.length; first += size) {
    let [sum, most] = [0, 0];
    for (let at = first; at < first + size; at++) {
      const magnitude = Math.abs(weights[at] ?? 0);
      sum += magnitude;
      most = Math.max(most, magnitude);
    }
    if (most > 0) reach = Math.max(reach, sum / most);
  }
  return reach;
}

/**
 * Bits of the sums of a layer before its weights are rounded: the largest weight of an output nearly fills its bits, and
 * values with or without a sign lead equally far, since weights have both signs.
 */
export const sumWidth = ({
  reach,
  weightBits,
  valueBits,
}: {
  readonly reach: number;
  readonly weightBits: number;
  readonly valueBits: number;
}): number => 1 + Math.ceil(Math.log2(reach) + weightBits - 1 + valueBits - 1);
