import type { Random } from "@/compiler/random";
import { chance, pick } from "../random-of";
import { oddIntegers, oddTexts } from "./damage";

/** What some bytes of a UBJSON file are. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly kind: "value" | "member" | "length" | "text" | "marker";
}

/**
 * One to three changes to a UBJSON file along its grammar: members and values left out, doubled, swapped and nested, lengths and
 * counts that are not those of what follows, other types, odd texts.
 */
export function spoilUbj(bytes: Uint8Array, random: Random): Uint8Array {
  let spoilt = Buffer.from(bytes);
  const times = random.integer(1, 3);
  for (let i = 0; i < times; i += 1) {
    const spans = spansOf(spoilt);
    if (spans.length > 0) spoilt = spoilOnce(spoilt, spans, random);
  }
  return spoilt;
}

function spoilOnce(bytes: Buffer, spans: readonly Span[], random: Random): Buffer<ArrayBuffer> {
  // As often a length as a value, though there are more of the one than of the other.
  const kind = pick(["value", "member", "length", "text", "marker"] as const, random);
  const fitting = spans.filter((span) => span.kind === kind);
  const span = pick(fitting.length > 0 ? fitting : spans, random);
  const part = (of: Span) => bytes.subarray(of.from, of.to);
  const put = (...parts: Uint8Array[]) =>
    Buffer.concat([bytes.subarray(0, span.from), ...parts, bytes.subarray(span.to)]);
  switch (span.kind) {
    case "length":
      return put(integerOf(pick(oddIntegers, random), random));
    case "marker":
      return put(Buffer.from(pick([..."{}[]$#SiUIlLdDTFZNHC"], random)));
    case "text": {
      const text = pick(oddTexts, random);
      return put(integerOf(BigInt(text.length), random), text);
    }
    default: {
      const other = pick(fitting.length > 0 ? fitting : spans, random);
      switch (random.integer(0, 4)) {
        case 0:
          return put();
        case 1:
          return put(...new Array<Uint8Array>(pick([2, 3, 300], random)).fill(part(span)));
        case 2:
          return put(part(other));
        case 3: {
          const depth = pick([1, 70, 5000], random);
          return put(Buffer.alloc(depth, "["), part(span), Buffer.alloc(depth, "]"));
        }
        default:
          return put(integerOf(pick(oddIntegers, random), random));
      }
    }
  }
}

/** An integer with its marker, in a width that need not hold it. */
function integerOf(value: bigint, random: Random): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value));
  const [marker, width] = chance(2, random)
    ? (["L", 8] as const)
    : pick(
        [
          ["l", 4],
          ["I", 2],
          ["i", 1],
          ["U", 1],
        ] as const,
        random,
      );
  return Buffer.concat([Buffer.from(marker), bytes.subarray(8 - width)]);
}

const widths: Readonly<Record<string, number>> = {
  ...{ i: 1, U: 1, C: 1, I: 2, l: 4, d: 4, L: 8, D: 8, T: 0, F: 0, Z: 0, N: 0 },
};

/** The parts of a file, as far as it can be read. */
function spansOf(bytes: Buffer): Span[] {
  const spans: Span[] = [];
  let at = 0;
  let values = 0;
  const note = (kind: Span["kind"], from: number) => spans.push({ kind, from, to: at });
  const marker = () => String.fromCharCode(bytes[at++] ?? 0);
  const integer = (): number => {
    const from = at;
    const width = widths[marker()];
    if (!width || at + width > bytes.length) throw new RangeError("no length");
    const value = bytes.readIntBE(at, Math.min(width, 6));
    at += width;
    note("length", from);
    // Eight bytes are read as six: what is huge stays huge.
    return width === 8 ? Number(bytes.readBigInt64BE(at - 8)) : value;
  };
  const text = () => {
    const from = at;
    const length = integer();
    at += length;
    note("text", from);
  };
  const value = (known: string | null, depth: number): void => {
    // Values without bytes could be any number.
    values += 1;
    if (depth > 100 || at > bytes.length || values > bytes.length) throw new RangeError("too much");
    const from = at;
    const type = known ?? marker();
    if (known === null) spans.push({ kind: "marker", from, to: at });
    if (type === "S" || type === "H") text();
    else if (type === "[" || type === "{") container(type, depth);
    else {
      const width = widths[type];
      if (width === undefined) throw new RangeError("no value");
      at += width;
    }
    if (known === null) note("value", from);
  };
  const container = (type: string, depth: number): void => {
    let of: string | null = null;
    let count: number | null = null;
    if (bytes[at] === 0x24) {
      at += 1;
      of = marker();
      spans.push({ kind: "marker", from: at - 1, to: at });
    }
    if (bytes[at] === 0x23) {
      at += 1;
      count = integer();
    }
    const close = type === "[" ? 0x5d : 0x7d;
    for (let i = 0; count === null ? bytes[at] !== close : i < count; i += 1) {
      const from = at;
      if (type === "{") text();
      value(of, depth + 1);
      if (type === "{") note("member", from);
    }
    if (count === null) at += 1;
  };
  try {
    value(null, 0);
  } catch {
    // What was read of it can be spoilt on.
  }
  return spans.filter(({ to }) => to <= bytes.length);
}
