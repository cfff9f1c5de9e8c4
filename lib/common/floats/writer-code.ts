import {
  block,
  type Expression,
  FunctionBuilder,
  type FunctionSource,
  i32,
  i64,
  loop,
  when,
} from "@/lib/common/wasm";
import { layout } from "./layout";
import { scaleBytes } from "./tables";

/** Up to eight characters as a number whose bytes they are. */
const ascii = (text: string): bigint =>
  [...text].reduceRight((word, character) => (word << 8n) | BigInt(character.charCodeAt(0)), 0n);

const zeros = ascii("00000000");

/**
 * The one float32 whose shortest text, 7.038531e-26, is so near to the middle between it and the next that a double takes it
 * for the middle. Who reads numbers as doubles first, as JSON.parse does, would get the next float32: it keeps a digit more.
 */
const doublyRounded = 0x15ae_43fd;

/** The upper 64 of the 96 bits of a product of 64 and 32 bits. */
const scaled = (scale: Expression, quarters: Expression): Expression => {
  const upper = i64.mul(i64.shr(scale, 32), quarters);
  const lower = i64.shr(i64.mul(i64.and(scale, 0xffff_ffff), quarters), 32);
  return i64.add(upper, lower);
};

/**
 * `write(from, to, out)`: writes the float32 values between two addresses as JSON, each with a comma behind it, and answers
 * where the text ends. The digits are found by Schubfach: one multiplication each for the value and the two ends of what
 * reads back as it, on a scale where at most one number with a digit less lies between them.
 *
 * @see R. Giulietti, "The Schubfach way to render doubles", 2022
 */
export function writerCode(): FunctionSource {
  const fn = new FunctionBuilder();
  const [from, to, out] = [fn.parameter("i32"), fn.parameter("i32"), fn.parameter("i32")];
  const [word, mantissa, biased, entry] = [
    fn.local("i32"),
    fn.local("i32"),
    fn.local("i32"),
    fn.local("i32"),
  ];
  const [scale, product, quarters] = [fn.local("i64"), fn.local("i64"), fn.local("i64")];
  const [shift, isOdd, lower, middle, upper] = [
    fn.local("i32"),
    fn.local("i32"),
    fn.local("i32"),
    fn.local("i32"),
    fn.local("i32"),
  ];
  const [least, tenths, digits, exponent, isPower, count] = [
    fn.local("i32"),
    fn.local("i32"),
    fn.local("i32"),
    fn.local("i32"),
    fn.local("i32"),
    fn.local("i32"),
  ];
  const [first, rest, pairs] = [fn.local("i32"), fn.local("i64"), fn.local("i64")];

  const advance = (bytes: number | Expression) => out.set(i32.add(out.get, bytes));
  const text = (characters: string): Expression[] => [
    ...[...characters].flatMap((_, at) =>
      at % 8 === 0 ? [i64.store(out.get, ascii(characters.slice(at, at + 8)), at)] : [],
    ),
    advance(characters.length),
  ];
  /** A place on the scale, in quarters: the lowest bit is set where more than a trace was cut off, so that comparisons stay exact. */
  const roundToOdd = (target: typeof lower, of: Expression): Expression[] => [
    quarters.set(i64.shl(i64.ofI32(of), i64.ofI32(shift.get))),
    product.set(scaled(scale.get, quarters.get)),
    target.set(
      i32.or(i32.ofI64(i64.shr(product.get, 32)), i64.gt(i64.and(product.get, 0xffff_ffff), 1)),
    ),
  ];

  const special = [
    when(i32.ne(mantissa.get, 0), [
      out.set(i32.sub(out.get, i32.shr(word.get, 31))),
      ...text('"NaN"'),
    ]),
    when(i32.not(mantissa.get), [
      when(i32.shr(word.get, 31), [advance(-1), ...text('"-Infinity"')]),
      when(i32.not(i32.shr(word.get, 31)), text('"Infinity"')),
    ]),
  ];
  const zero = [
    i32.store8(out.get, 0x30),
    advance(1),
    when(i32.shr(word.get, 31), [i32.store16(out.get, Number(ascii(".0"))), advance(2)]),
  ];

  const four = i32.shl(mantissa.get, 2);
  /** Of two neighbours in units of `unit` quarters, whether the lower and the upper read back. */
  const isLowerIn = (of: typeof least, unit: number) =>
    i32.le(i32.add(lower.get, isOdd.get), i32.mul(of.get, unit));
  const isUpperIn = (of: typeof least, unit: number) =>
    i32.le(i32.add(i32.mul(of.get, unit), unit), i32.sub(upper.get, isOdd.get));

  const findDigits = [
    isPower.set(i32.not(mantissa.get)),
    entry.set(i32.mul(i32.add(biased.get, i32.shl(isPower.get, 8)), scaleBytes)),
    isPower.set(i32.and(isPower.get, i32.gt(biased.get, 1))),
    mantissa.set(i32.or(mantissa.get, i32.shl(i32.ne(biased.get, 0), 23))),
    scale.set(i64.load(entry.get, layout.float32Scales)),
    exponent.set(i32.load(entry.get, layout.float32Scales + 8)),
    shift.set(i32.load(entry.get, layout.float32Scales + 12)),
    // An even float32 takes what lies half way to its neighbours.
    isOdd.set(i32.and(mantissa.get, 1)),
    ...roundToOdd(lower, i32.add(i32.sub(four, 2), isPower.get)),
    ...roundToOdd(middle, four),
    ...roundToOdd(upper, i32.add(four, 2)),
    least.set(i32.shr(middle.get, 2)),
    tenths.set(i32.div(least.get, 10)),
    // At the full number of digits: the nearer neighbour, of two as near the larger; of two only one may be in.
    digits.set(
      i32.add(
        least.get,
        i32.choose(
          i32.ne(isLowerIn(least, 4), isUpperIn(least, 4)),
          isUpperIn(least, 4),
          i32.ge(middle.get, i32.add(i32.shl(least.get, 2), 2)),
        ),
      ),
    ),
    // One digit less where one of those reads back; of small subnormals there is none.
    count.set(i32.and(i32.ge(least.get, 10), i32.ne(isLowerIn(tenths, 40), isUpperIn(tenths, 40)))),
    count.set(i32.and(count.get, i32.ne(i32.shl(word.get, 1), doublyRounded << 1))),
    digits.set(i32.choose(count.get, i32.add(tenths.get, isUpperIn(tenths, 40)), digits.get)),
    exponent.set(i32.add(exponent.get, count.get)),
  ];

  /** Nine digits with zeros behind: the first by itself, the others as the bytes of a word, the leftmost the lowest. */
  const spreadDigits = [
    // 1233 / 4096 is little more than the logarithm of two.
    count.set(i32.shr(i32.mul(i32.sub(32, i32.leadingZeros(digits.get)), 1233), 12)),
    count.set(
      i32.add(count.get, i32.ge(digits.get, i32.load(i32.shl(count.get, 3), layout.integerPowers))),
    ),
    exponent.set(i32.add(exponent.get, i32.sub(count.get, 1))),
    digits.set(
      i32.mul(digits.get, i32.load(i32.shl(i32.sub(9, count.get), 3), layout.integerPowers)),
    ),
    first.set(i32.div(digits.get, 1e8)),
    digits.set(i32.sub(digits.get, i32.mul(first.get, 1e8))),
    tenths.set(i32.div(digits.get, 1e4)),
    rest.set(
      i64.or(
        i64.ofI32(tenths.get),
        i64.shl(i64.ofI32(i32.sub(digits.get, i32.mul(tenths.get, 1e4))), 32),
      ),
    ),
    // Two lanes of four digits become four of two, and these eight of one; the factors are reciprocals of 100 and 10.
    pairs.set(i64.and(i64.shr(i64.mul(rest.get, 10_486), 20), 0x7f_0000_007fn)),
    rest.set(i64.or(pairs.get, i64.shl(i64.sub(rest.get, i64.mul(pairs.get, 100)), 16))),
    pairs.set(i64.and(i64.shr(i64.mul(rest.get, 103), 10), 0x000f_000f_000f_000fn)),
    rest.set(i64.or(pairs.get, i64.shl(i64.sub(rest.get, i64.mul(pairs.get, 10)), 8))),
    count.set(i32.sub(9, i32.shr(i32.ofI64(i64.leadingZeros(rest.get)), 3))),
    rest.set(i64.or(rest.get, zeros)),
    first.set(i32.or(first.get, 0x30)),
  ];

  /** The nine digits from an address on. */
  const putDigits = (offset: number | Expression): Expression[] => {
    const at = typeof offset === "number" ? out.get : i32.add(out.get, offset);
    const bytes = typeof offset === "number" ? offset : 0;
    return [i32.store8(at, first.get, bytes), i64.store(at, rest.get, bytes + 1)];
  };
  const large = [
    ...putDigits(0),
    i64.store(out.get, zeros, 9),
    i32.store(out.get, Number(zeros & 0xffff_ffffn), 17),
    // The digits behind the point one place to the right.
    when(i32.gtSigned(count.get, i32.add(exponent.get, 1)), [
      i64.store(
        i32.add(out.get, exponent.get),
        i64.shr(rest.get, i64.ofI32(i32.shl(exponent.get, 3))),
        2,
      ),
      i32.store8(i32.add(out.get, exponent.get), 0x2e, 1),
      advance(1),
      exponent.set(i32.sub(count.get, 1)),
    ]),
    advance(i32.add(exponent.get, 1)),
  ];
  const small = [
    i64.store(out.get, ascii("0.000000")),
    ...putDigits(i32.sub(1, exponent.get)),
    advance(i32.add(count.get, i32.sub(1, exponent.get))),
  ];
  const scientific = [
    i32.store8(out.get, first.get),
    i32.store8(out.get, 0x2e, 1),
    i64.store(out.get, rest.get, 2),
    advance(i32.add(count.get, i32.gt(count.get, 1))),
    i32.store8(out.get, 0x65),
    i32.store8(out.get, i32.choose(i32.ltSigned(exponent.get, 0), 0x2d, 0x2b), 1),
    exponent.set(i32.choose(i32.ltSigned(exponent.get, 0), i32.sub(0, exponent.get), exponent.get)),
    advance(2),
    when(i32.ge(exponent.get, 10), [
      i32.store8(out.get, i32.add(0x30, i32.div(exponent.get, 10))),
      exponent.set(i32.sub(exponent.get, i32.mul(i32.div(exponent.get, 10), 10))),
      advance(1),
    ]),
    i32.store8(out.get, i32.add(0x30, exponent.get)),
    advance(1),
  ];

  const one = block((done) => [
    word.set(i32.load(from.get)),
    i32.store8(out.get, 0x2d),
    advance(i32.shr(word.get, 31)),
    biased.set(i32.and(i32.shr(word.get, 23), 0xff)),
    mantissa.set(i32.and(word.get, 0x7f_ffff)),
    when(i32.eq(biased.get, 0xff), [...special, done()]),
    when(i32.not(i32.shl(word.get, 1)), [...zero, done()]),
    ...findDigits,
    ...spreadDigits,
    // As JavaScript writes numbers: from 10^-6 to below 10^21 without an exponent.
    when(i32.lt(exponent.get, 21), [...large, done()]),
    when(i32.ltSigned(exponent.get, -6), [...scientific, done()]),
    when(i32.ltSigned(exponent.get, 0), [...small, done()]),
    ...scientific,
  ]);

  const all = block((leave) => [
    loop((again) => [
      leave(i32.ge(from.get, to.get)),
      one,
      i32.store8(out.get, 0x2c),
      advance(1),
      from.set(i32.add(from.get, 4)),
      again(),
    ]),
  ]);
  return fn.finish("i32", [all], out.get);
}
