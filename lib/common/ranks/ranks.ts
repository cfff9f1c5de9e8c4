/**
 * How one feature of a tree ensemble is sent: as its rank among all thresholds that the trees compare it with.
 * A comparison `value < thresholds[i]` of floats is then `rank <= i` of integers, without any loss.
 */
export interface FeatureRanks {
  /** Finite, representable in float32, ascending, each once. A feature without any is not sent. */
  readonly thresholds: readonly number[];
  /** Whether a missing value (NaN) has a code of its own, all ones. Else it counts as past every threshold. */
  readonly missing: boolean;
}

const byteCodes = 256;

/** Bytes of one feature's rank: as many as its codes need, none where there is nothing to compare with. */
export function rankBytes({ thresholds, missing }: FeatureRanks): 0 | 1 | 2 {
  if (thresholds.length === 0) return 0;
  return thresholds.length + 1 + (missing ? 1 : 0) <= byteCodes ? 1 : 2;
}

/** How many thresholds a value has reached, compared in float32 as tree ensembles do; the code for NaN where there is one. */
export function rankOf(value: number, ranks: FeatureRanks): number {
  const { thresholds } = ranks;
  const single = Math.fround(value);
  if (Number.isNaN(single)) return ranks.missing ? missingCode(ranks) : thresholds.length;
  let [low, high] = [0, thresholds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (single < (thresholds[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A value that has the given rank: NaN for the code of missing values; codes beyond the last rank count as it. */
export function valueOfRank(code: number, ranks: FeatureRanks): number {
  const { thresholds, missing } = ranks;
  if (missing && code === missingCode(ranks)) return Number.NaN;
  if (code > 0) return thresholds[Math.min(code, thresholds.length) - 1] ?? 0;
  const [first = 0] = thresholds;
  return Math.fround(first - Math.max(1, Math.abs(first)));
}

/**
 * The bytes of one row: each feature's rank in turn, low byte first.
 *
 * @param values One for each feature.
 */
export function encodeRanks(
  values: ArrayLike<number | bigint>,
  features: readonly FeatureRanks[],
): Uint8Array {
  const bytes: number[] = [];
  for (const [index, ranks] of features.entries()) {
    const size = rankBytes(ranks);
    if (size === 0) continue;
    const rank = rankOf(Number(values[index]), ranks);
    bytes.push(rank & 255);
    if (size === 2) bytes.push(rank >> 8);
  }
  return Uint8Array.from(bytes);
}

const missingCode = (ranks: FeatureRanks): number => byteCodes ** rankBytes(ranks) - 1;
