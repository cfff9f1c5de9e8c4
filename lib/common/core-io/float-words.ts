import { fromFloat16Bits, toFloat16Bits } from "@/lib/common/tensor";

/** Floats that pass a core's port as their bits. */
export type FloatKind = "FP16" | "FP32";

const scratch = new DataView(new ArrayBuffer(4));

/** The bits of the float nearest to a real, ties to even, as a signed integer of the float's width. */
export function toFloatWord(kind: FloatKind, real: number): number {
  if (kind === "FP16") return (toFloat16Bits(real) << 16) >> 16;
  scratch.setFloat32(0, real);
  return scratch.getInt32(0);
}

/** @param word The float's bits, signed or not. */
export function fromFloatWord(kind: FloatKind, word: number): number {
  if (kind === "FP16") return fromFloat16Bits(word & 0xffff);
  scratch.setInt32(0, word);
  return scratch.getFloat32(0);
}

/** Bytes of a float on a core's port. */
export const floatBytes = (kind: FloatKind): 2 | 4 => (kind === "FP16" ? 2 : 4);
