import type { FixedPoint } from "@/lib/common/fixed-point";

/** How many bits the numbers of a network get. Scores always have 16. */
export interface Precision {
  /** Of standardised inputs, 4 to 8. */
  readonly inputBits: number;
  /** Of weights, 2 to 8, by layer; the last entry is for all layers beyond. Symmetric, so that negation never overflows. */
  readonly weightBits: readonly [number, ...number[]];
  /** Of hidden values, 2 to 8. */
  readonly activationBits: number;
}

/** Named precisions, finest first: measured losses are in `docs/compiler.md`. */
export const precisions = {
  "exact-ish": { inputBits: 8, weightBits: [8], activationBits: 8 },
  balanced: { inputBits: 8, weightBits: [6], activationBits: 8 },
  smallest: { inputBits: 8, weightBits: [4], activationBits: 6 },
  /** Narrow in everything that an adder sees: it unrolls where others do not, and clocks higher. */
  fastest: { inputBits: 6, weightBits: [4], activationBits: 6 },
} as const satisfies Readonly<Record<string, Precision>>;

/** The grid of standardised inputs: signed, its edges at 4 deviations, where saturation clips. */
export const inputFormatOf = ({ inputBits }: Precision): FixedPoint => ({
  width: inputBits,
  fraction: inputBits - 3,
  signed: true,
});

/** Bits of a layer's weights; layers behind the last that is named have that one's. */
export const weightBitsOf = (
  { weightBits }: Pick<Precision, "weightBits">,
  layer: number,
): number => weightBits[Math.min(layer, weightBits.length - 1)] ?? weightBits[0];
