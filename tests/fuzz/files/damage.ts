import type { Random } from "@/compiler/random";
import { mutate } from "../mutate";
import { chance, pick } from "../random-of";

/** Numbers that lengths, counts and offsets should not have. */
export const oddIntegers: readonly bigint[] = [
  0n,
  1n,
  -1n,
  127n,
  128n,
  -128n,
  255n,
  65_535n,
  2n ** 31n - 1n,
  2n ** 31n,
  -(2n ** 31n),
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 40n,
  2n ** 53n,
  2n ** 62n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];

/**
 * Some damage to a file whose form is not known: bits, cuts and foreign words, integers made huge or negative, and parts of another
 * file in place of its own.
 */
export function damage(bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  switch (random.integer(0, 5)) {
    case 0:
      return bytes.subarray(0, random.integer(0, bytes.length));
    case 1:
      return spliced(bytes, other, random);
    case 2:
    case 3:
      return withOddInteger(bytes, random);
    default:
      return mutate(bytes, random);
  }
}

/** The head of one file and the tail of another, which may overlap or leave out some. */
function spliced(head: Uint8Array, tail: Uint8Array, random: Random): Uint8Array {
  const at = random.integer(0, head.length);
  const from = chance(2, random) ? Math.min(at, tail.length) : random.integer(0, tail.length);
  return Buffer.concat([head.subarray(0, at), tail.subarray(from)]);
}

/** Overwrites 1, 2, 4 or 8 bytes, in either order; headers lie at the beginning. */
function withOddInteger(bytes: Uint8Array, random: Random): Uint8Array {
  const damaged = Buffer.from(bytes);
  const times = random.integer(1, 3);
  for (let i = 0; i < times; i += 1) {
    const width = pick([1, 2, 4, 8], random);
    const last = damaged.length - width;
    if (last < 0) break;
    const at = random.integer(0, chance(2, random) ? last : Math.min(last, 1024));
    const value = Buffer.alloc(8);
    value.writeBigUInt64LE(BigInt.asUintN(64, pick(oddIntegers, random)));
    const part = value.subarray(0, width);
    damaged.set(chance(3, random) ? part.toReversed() : part, at);
  }
  return damaged;
}

/** Texts that break readers, stores and pages, as bytes: not all of them are UTF-8. */
export const oddTexts: readonly Uint8Array[] = [
  "",
  "\0",
  "a\0b",
  " ",
  "../../etc/passwd",
  "\u202egnp.exe",
  "\u001b]0;title\u0007",
  "<script>alert(1)</script>",
  "'; DROP TABLE build; --",
  "$(id)`id`",
  "__proto__",
  "constructor",
  "x".repeat(5000),
  "é".repeat(3000),
  "\n\r\n",
]
  .map((text): Uint8Array => Buffer.from(text))
  // Half of a surrogate pair, an overlong slash, a byte that begins nothing.
  .concat([Uint8Array.of(0xed, 0xa0, 0x80), Uint8Array.of(0xc0, 0xaf), Uint8Array.of(0x61, 0xff)]);
