import type { Draw } from "./draw";

/** Ways in which a tensor of weights is unlike those of trained models, and one in which it is like them. */
const kinds = {
  trained: (draw, fan) => draw.normal() / Math.sqrt(fan),
  zero: () => 0,
  negativeZero: () => -0,
  sparse: (draw, fan) => (draw.chance(0.1) ? draw.normal() / Math.sqrt(fan) : 0),
  huge: (draw) => draw.normal() * 1e6,
  vast: (draw) => draw.normal() * 1e25,
  tiny: (draw) => draw.normal() * 1e-7,
  vanishing: (draw) => draw.normal() * 1e-30,
  denormal: (draw) => draw.normal() * 2 ** -140,
  powers: (draw) => draw.pick([-1, 1]) * 2 ** -draw.integer(0, 6),
  spread: (draw, fan) => (draw.normal() * 10 ** draw.integer(-6, 2)) / fan,
} satisfies Record<string, (draw: Draw, fan: number) => number>;

export type WeightKind = keyof typeof kinds | "equal" | "outlier";

export const weightKinds = [...Object.keys(kinds), "equal", "outlier"] as readonly WeightKind[];

/** What a model's tensors mostly are, so that most of its answers are still worth comparing. */
export function drawKind(draw: Draw): WeightKind {
  return draw.chance(0.6) ? "trained" : draw.pick(weightKinds);
}

/**
 * A tensor of weights in float32.
 *
 * @param fan How many of them one sum has.
 */
export function drawWeights(draw: Draw, count: number, fan: number, kind: WeightKind) {
  const one = numberOf(draw, fan, kind);
  const values = Float32Array.from({ length: count }, one);
  if (kind === "outlier" && count > 0) values[draw.integer(0, count - 1)] = 1000;
  return values;
}

function numberOf(draw: Draw, fan: number, kind: WeightKind): () => number {
  if (kind === "outlier") return () => kinds.trained(draw, fan);
  if (kind === "equal") {
    const value = draw.pick([1, -0.5, 0.1, 3]) / fan;
    return () => value;
  }
  return () => kinds[kind](draw, fan);
}
