import { roundToEven } from "@/lib/common/fixed-point";

const largestOf = (bits: number) => 2 ** (bits - 1) - 1;
/** How far beyond its largest weight a channel may be magnified, in bits. */
const clipBits = 3;
/** Keeps exponents of channels without weights, or with tiny ones, within reason. */
const maxFraction = 40;

/** The finest power-of-two grid on which `magnitude` stays within `limit`. */
export function fractionFor(magnitude: number, limit: number): number {
  if (!(magnitude > 0)) return maxFraction;
  let fraction = Math.min(maxFraction, Math.floor(Math.log2(limit / magnitude)));
  // The logarithm may round across a power of two.
  while (magnitude * 2 ** fraction > limit) fraction--;
  while (fraction < maxFraction && magnitude * 2 ** (fraction + 1) <= limit) fraction++;
  return fraction;
}

/** One channel's weights on a grid: symmetric, so that negation never overflows. */
export function quantizeWeights(
  weights: ArrayLike<number>,
  fraction: number,
  bits: number,
): number[] {
  const limit = largestOf(bits);
  return Array.from(weights, (weight) => rounded(weight * 2 ** fraction, limit));
}

function rounded(steps: number, limit: number): number {
  // Neither NaN nor -0 is a weight.
  return Math.min(limit, Math.max(-limit, roundToEven(steps))) || 0;
}

/** The exponent for a channel that loses nothing to clipping. */
export function plainFraction(weights: ArrayLike<number>, bits: number): number {
  return fractionFor(Math.max(0, ...Array.from(weights, Math.abs)), largestOf(bits));
}

/** The exponent of least squared error, which may clip the channel's largest weights. */
export function clippedFraction(weights: ArrayLike<number>, bits: number): number {
  const limit = largestOf(bits);
  const plain = plainFraction(weights, bits);
  let best = plain;
  let bestError = Number.POSITIVE_INFINITY;
  for (let fraction = plain; fraction <= Math.min(maxFraction, plain + clipBits); fraction++) {
    const scale = 2 ** fraction;
    let error = 0;
    for (let index = 0; index < weights.length; index++) {
      const weight = weights[index] ?? 0;
      error += (rounded(weight * scale, limit) / scale - weight) ** 2;
    }
    if (error < bestError) {
      best = fraction;
      bestError = error;
    }
  }
  return best;
}
