import { roundToEven } from "@/lib/common/fixed-point";

const scratch = new DataView(new ArrayBuffer(8));

/** Bits of the binary16 nearest to a double, ties to even; overflow gives an infinity. */
export function toFloat16Bits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  // 65520 lies half way between the largest finite value and the next step.
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | roundToEven(size * 2 ** 24);
  const exponent = exponentOf(size);
  // A mantissa that rounds up to 2048 carries into the exponent by the addition.
  return sign + ((exponent + 15) << 10) + roundToEven(size * 2 ** (10 - exponent)) - 1024;
}

/** The number that 16 bits of IEEE 754 binary16 stand for, exactly; NaN and infinities too. */
export function fromFloat16Bits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Bits of the bfloat16 nearest to a double, ties to even; overflow gives an infinity. */
export function toBfloat16Bits(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  // Half way between the largest finite value and the next step.
  if (size >= 255.5 * 2 ** 120) return sign | 0x7f80;
  if (size < 2 ** -126) return sign | roundToEven(size * 2 ** 133);
  const exponent = exponentOf(size);
  return sign + ((exponent + 127) << 7) + roundToEven(size * 2 ** (7 - exponent)) - 128;
}

/** The number that 16 bits of bfloat16 stand for, exactly: they are the upper half of a float32. */
export function fromBfloat16Bits(bits: number): number {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}

/** Binary exponent of a normal double: 0 for 1 ≤ size < 2. */
function exponentOf(size: number): number {
  scratch.setFloat64(0, size);
  return ((scratch.getUint16(0) >> 4) & 0x7ff) - 1023;
}
