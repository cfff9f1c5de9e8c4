import type { Random } from "@/compiler/random";

/** Bytes that break readers: ends, signs, large numbers, deep nests, words that are nearly right. */
const morsels: readonly string[] = [
  "",
  "0",
  "-1",
  "1e999",
  "-0",
  "9223372036854775808",
  "18446744073709551616",
  "2147483648",
  "[".repeat(120),
  "{".repeat(120),
  '{"a":'.repeat(60),
  "null",
  "NaN",
  "true",
  '"',
  "\\u0000",
  "\\ud800",
  "\ufeff",
  ",",
  "[]",
  "{}",
  '"FP32"',
  '"BYTES"',
  '"shape":[2147483648,16]',
  '"shape":[9223372036854775807,16]',
  '"shape":[0]',
  '"parameters":{"binary_data_size":4294967295}',
  '"parameters":{"shared_memory_region":"r"}',
  '"data":[[[[1]]]]',
  "\x00\xff\xfe",
];

/** Some damage to bytes, by seed: cuts, doubles, flips, foreign words. */
export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  let damaged = bytes;
  const times = random.integer(1, 3);
  for (let i = 0; i < times; i++) damaged = damageOnce(damaged, random);
  return damaged;
}

function damageOnce(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.integer(0, bytes.length);
  const length = random.integer(0, Math.min(16, bytes.length - at));
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at + length);
  switch (random.integer(0, 5)) {
    case 0: {
      const flipped = Uint8Array.from(bytes);
      if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << random.integer(0, 7));
      return flipped;
    }
    case 1:
      return joined(before, after);
    case 2:
      return joined(before, bytes.subarray(at, at + length), bytes.subarray(at));
    case 3:
      return before;
    case 4:
      return joined(
        before,
        Uint8Array.from({ length }, () => random.integer(0, 255)),
        after,
      );
    default: {
      const morsel = morsels[random.integer(0, morsels.length - 1)] ?? "";
      return joined(before, new TextEncoder().encode(morsel), after);
    }
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
