import { type Range, widthOf } from "../../integer/range";
import { type BitVector, bitsOf, concatenate, literal } from "./bit-vector";
import type { Signal } from "./network";
import { isWiring, shifted } from "./network-builder";

type Clamp = Extract<Signal, { kind: "clamp" }>;

/** The bits of a sum that are left, rounded to even where that is asked for, between the bounds and around the centre. */
export function clampOf(signal: Clamp, source: BitVector): string {
  const { centre, ...natural } = signal;
  if (centre === undefined) return boundedOf(signal, source);
  const clamp = { ...natural, min: signal.min + centre, max: signal.max + centre };
  return `(${boundedOf(clamp, source)}) ^ ${literal(centre, widthOf(signal))}`;
}

function boundedOf(signal: Clamp, source: BitVector): string {
  const { drop, constant, bounds } = signal;
  const width = widthOf(signal);
  if (isWiring(signal, source.range)) return bitsOf(source, drop, width);
  const { min, max } = shifted(source.range, drop, constant);
  const bits = keptBits(signal, source, width);
  if (min >= bounds.min && max <= bounds.max) return bits;
  if (!isFormat(bounds)) return comparedWith(signal, source, bits);
  const top = widthOf(source.range) - 1;
  const sign = min < 0 ? `${source.name}[${top}]` : null;
  // Bits that must all be as the sign is, for the value to lie within the bounds.
  const first = drop + widthOf({ min: 0, max: bounds.max });
  const highest = min < 0 ? top - 1 : top;
  const rest = first <= highest ? `${source.name}[${highest}:${first}]` : null;
  const above = max > bounds.max && rest ? `|${rest}` : null;
  const upper = above ? `${above} ? ${literal(signal.max, width)} : ${bits}` : bits;
  if (!sign) return upper;
  if (min >= bounds.min)
    return above ? `~${sign} & ${above} ? ${literal(signal.max, width)} : ${bits}` : bits;
  const lowest = literal(signal.min, width);
  if (bounds.min === 0) return `${sign} ? ${lowest} : ${upper}`;
  return `${sign} ? (&${rest} ? ${bits} : ${lowest}) : (${upper})`;
}

/** The lowest bit goes where all bits that are dropped are 0. */
function keptBits({ drop, toEven }: Clamp, source: BitVector, width: number): string {
  if (!toEven) return bitsOf(source, drop, width);
  const upper = width > 1 ? bitsOf(source, drop + 1, width - 1) : null;
  const lowest = drop === 0 ? "1'b0" : `${bitsOf(source, drop, 1)} & |(${bitsOf(source, 0, drop)})`;
  return concatenate(upper, lowest);
}

/** Whether bounds are all that some bits hold, so that looking at the bits above is enough. */
function isFormat({ min, max }: Range): boolean {
  return Number.isInteger(Math.log2(max + 1)) && (min === 0 || min === -(max + 1));
}

/** Bounds that are no format are compared with, as numbers. */
function comparedWith(signal: Clamp, source: BitVector, bits: string): string {
  const { drop, constant, bounds } = signal;
  const range = shifted(source.range, drop, constant);
  const wide =
    1 + widthOf({ min: Math.min(range.min, bounds.min, -1), max: Math.max(range.max, bounds.max) });
  const value = `$signed(${bitsOf(source, drop, wide)})`;
  const width = widthOf(signal);
  const limit = (bound: number) => `$signed(${literal(bound, wide)})`;
  const upper =
    range.max > bounds.max
      ? `${value} > ${limit(bounds.max)} ? ${literal(signal.max, width)} : ${bits}`
      : bits;
  if (range.min >= bounds.min) return upper;
  return `${value} < ${limit(bounds.min)} ? ${literal(signal.min, width)} : (${upper})`;
}
