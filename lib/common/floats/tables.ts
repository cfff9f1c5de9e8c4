/** The exponents of ten that `widePowers` holds: every finite double but the last of the subnormals needs no others. */
export const widestExponents = { least: -330, most: 308 } as const;

const bitLength = (value: bigint): number => value.toString(16).length * 4 - leading(value);
const leading = (value: bigint): number =>
  Math.clz32(Number.parseInt(value.toString(16).charAt(0), 16)) - 28;

/** The upper bits of 10^exponent, the first of them 1, cut off behind `bits` of them. `more`: whether something was cut. */
function powerOfTen(exponent: number, bits: number): { readonly value: bigint; more: boolean } {
  const five = 5n ** BigInt(Math.abs(exponent));
  const length = bitLength(five);
  if (exponent >= 0) {
    const surplus = BigInt(length - bits);
    const value = surplus > 0n ? five >> surplus : five << -surplus;
    return { value, more: surplus > 0n && value << surplus !== five };
  }
  // 2^(length + bits - 1) / 5^n has as many bits as are wanted: 5^n is no power of two.
  return { value: (1n << BigInt(length + bits - 1)) / five, more: true };
}

/** 128 bits of each power of ten in turn, cut off: the upper word first. */
export function widePowers(): BigUint64Array {
  const { least, most } = widestExponents;
  const words = new BigUint64Array(2 * (most - least + 1));
  for (let exponent = least; exponent <= most; exponent++) {
    const { value } = powerOfTen(exponent, 128);
    words[2 * (exponent - least)] = value >> 64n;
    words[2 * (exponent - least) + 1] = value & 0xffff_ffff_ffff_ffffn;
  }
  return words;
}

/** Bytes of one of `float32Scales`. */
export const scaleBytes = 16;

/**
 * What turns a float32 into decimal digits, by its exponent as it is stored: 10^-k to 64 bits, rounded up; the k with which
 * one step of the value is one to ten units of 10^k; and by how much the value is to be shifted. The second half is for
 * powers of two, below which a step is half as long.
 */
export function float32Scales(): Uint8Array {
  const scales = new DataView(new ArrayBuffer(512 * scaleBytes));
  for (let index = 0; index < 512; index++) {
    // Subnormals have the exponent of the least normal ones, and no shorter step below.
    const biased = Math.max(1, index & 0xff);
    const exponent = biased - 150;
    const step = index >= 256 && biased > 1 ? 0.75 : 1;
    const k = Math.floor(Math.log10(step) + exponent * Math.log10(2));
    const { value, more } = powerOfTen(-k, 64);
    scales.setBigUint64(index * scaleBytes, value + (more ? 1n : 0n), true);
    scales.setInt32(index * scaleBytes + 8, k, true);
    scales.setInt32(index * scaleBytes + 12, exponent + Math.floor(-k * Math.log2(10)) + 1, true);
  }
  return new Uint8Array(scales.buffer);
}
