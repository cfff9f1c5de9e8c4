import {
  block,
  call,
  type Expression,
  FunctionBuilder,
  type FunctionSource,
  f64,
  i32,
  i64,
  type Jump,
  loop,
  v128,
  when,
} from "@/lib/common/wasm";
import { layout } from "./layout";

/** Digits that stay below 2^63 whatever they are. */
const mostDigits = 18;
/** Powers of ten up to this one are exact doubles. */
const mostExact = 22;
/** Relative: what two roundings of a double can be off, and twice as much for safety. */
const slack = 2 ** -51;
/** Below this every double is a finite float32. */
const belowFloat32Range = 3.4e38;
/** Digits of an exponent; more are left to others. */
const mostExponentDigits = 4;

const repeated = (...bytes: readonly number[]): Expression =>
  v128.constant(Array.from({ length: 16 }, (_, at) => bytes[at % bytes.length] ?? 0));
const lanes16 = (...values: readonly number[]): Expression =>
  repeated(...values.flatMap((value) => [value & 0xff, value >> 8]));

/**
 * `read(at, end, out, outEnd, needsComma)`: reads JSON numbers between commas, spaces and line ends between them, into
 * float32 or float64 values, and answers where it stopped: in front of the first that it cannot tell exactly, that has no
 * byte behind it before `end`, or that is no number. Where the values end is left at `layout.second`.
 *
 * The next number begins where the digits of this one end, which two vectors of text tell at once; nothing else is on the
 * way that one number waits for another. A value is mantissa × 10^exponent. As a float32 it is mostly computed in doubles
 * with two roundings, and taken where a little more or less makes the same float32: then so does the nearest double.
 *
 * @param scale The function that makes the nearest double of a mantissa and an exponent.
 */
export function readerCode(kind: "f32" | "f64", scale: number): FunctionSource {
  const fn = new FunctionBuilder();
  const parameter = () => fn.parameter("i32");
  const [at, end, out, outEnd, needsComma] = [
    parameter(),
    parameter(),
    parameter(),
    parameter(),
    parameter(),
  ];
  const local = () => fn.local("i32");
  const [from, byte, isNegative, breaks, whole] = [local(), local(), local(), local(), local()];
  const [fraction, close, power, count, until] = [local(), local(), local(), local(), local()];
  const [mantissa, halves] = [fn.local("i64"), fn.local("i64")];
  const vector = fn.local("v128");
  const value = fn.local("f64");

  const forward = (bytes: number | Expression) => from.set(i32.add(from.get, bytes));
  const nextByte = byte.set(i32.load8(from.get));
  const isDigit = i32.lt(i32.sub(byte.get, 0x30), 10);
  const digitsAt = (offset: number) =>
    v128.mask8(
      v128.lessThan8(v128.sub8(v128.load(from.get, offset), repeated(0x30)), repeated(10)),
    );

  const begin = (leave: Jump): Expression[] => [
    from.set(at.get),
    nextByte,
    when(needsComma.get, [leave(i32.ne(byte.get, 0x2c)), forward(1), nextByte]),
    loop((again) => [
      when(i32.or(i32.eq(byte.get, 0x20), i32.eq(byte.get, 0x0a)), [forward(1), nextByte, again()]),
    ]),
    isNegative.set(i32.eq(byte.get, 0x2d)),
    forward(isNegative.get),
    nextByte,
  ];

  const measure = (leave: Jump): Expression[] => [
    breaks.set(i32.xor(i32.or(digitsAt(0), i32.shl(digitsAt(16), 16)), -1)),
    whole.set(i32.trailingZeros(breaks.get)),
    leave(i32.ge(i32.sub(whole.get, 1), mostDigits)),
    leave(i32.and(i32.eq(byte.get, 0x30), i32.gt(whole.get, 1))),
    close.set(i32.add(from.get, whole.get)),
    fraction.set(0),
    when(i32.eq(i32.load8(close.get), 0x2e), [
      fraction.set(i32.trailingZeros(i32.shr(breaks.get, i32.add(whole.get, 1)))),
      leave(i32.not(fraction.get)),
      close.set(i32.add(close.get, i32.add(fraction.get, 1))),
      // Longer than the two vectors.
      leave(i32.ge(i32.sub(close.get, from.get), 32)),
    ]),
    power.set(i32.sub(0, fraction.get)),
  ];

  /** Too many digits, unless they are zeros in front: 0.00…01 has one. */
  const limitDigits = (leave: Jump): Expression[] => [
    count.set(i32.add(whole.get, fraction.get)),
    when(i32.gt(count.get, mostDigits), [
      leave(i32.ne(byte.get, 0x30)),
      until.set(i32.add(from.get, 2)),
      loop((again) => [
        count.set(i32.sub(count.get, 1)),
        when(i32.and(i32.eq(i32.load8(until.get), 0x30), i32.lt(until.get, close.get)), [
          until.set(i32.add(until.get, 1)),
          again(),
        ]),
      ]),
      leave(i32.gtSigned(count.get, mostDigits)),
    ]),
  ];

  /** In front of the point digits are few, so they are taken one by one. */
  const readWhole: Expression[] = [
    mantissa.set(i64.ofI32(i32.sub(byte.get, 0x30))),
    until.set(i32.add(from.get, whole.get)),
    loop((again) => [
      forward(1),
      when(i32.lt(from.get, until.get), [
        mantissa.set(
          i64.add(i64.mul(mantissa.get, 10), i64.ofI32(i32.sub(i32.load8(from.get), 0x30))),
        ),
        again(),
      ]),
    ]),
  ];

  /** Appends up to sixteen digits, which end at an address: neighbours are joined to tens, thousands, and tens of millions. */
  const append = (address: Expression, digits: Expression): Expression[] => [
    vector.set(
      v128.and(
        v128.sub8(v128.load(i32.sub(address, 16)), repeated(0x30)),
        v128.load(digits, layout.lastBytes),
      ),
    ),
    vector.set(
      v128.add16(
        v128.mul16(v128.and(vector.get, repeated(0xff, 0)), lanes16(10)),
        v128.shr16(vector.get, 8),
      ),
    ),
    vector.set(v128.dot(vector.get, lanes16(100, 1))),
    vector.set(v128.dot(v128.narrowTo16(vector.get, vector.get), lanes16(10_000, 1))),
    halves.set(v128.lane64(vector.get, 0)),
    mantissa.set(
      i64.add(
        i64.mul(mantissa.get, i64.load(i32.shl(digits, 3), layout.integerPowers)),
        i64.add(i64.mul(i64.and(halves.get, 0xffff_ffff), 1e8), i64.shr(halves.get, 32)),
      ),
    ),
  ];
  const readFraction: Expression[] = [
    when(i32.gt(fraction.get, 16), [
      fraction.set(i32.sub(fraction.get, 16)),
      ...append(i32.sub(close.get, 16), fraction.get),
      fraction.set(16),
    ]),
    when(fraction.get, append(close.get, fraction.get)),
  ];

  const readExponent = (leave: Jump): Expression[] => [
    from.set(close.get),
    nextByte,
    when(i32.eq(i32.or(byte.get, 0x20), 0x65), [
      forward(1),
      nextByte,
      close.set(i32.eq(byte.get, 0x2d)),
      when(i32.or(close.get, i32.eq(byte.get, 0x2b)), [forward(1), nextByte]),
      leave(i32.not(isDigit)),
      count.set(0),
      until.set(i32.add(from.get, mostExponentDigits)),
      loop((again) => [
        when(i32.and(isDigit, i32.lt(from.get, until.get)), [
          count.set(i32.add(i32.mul(count.get, 10), i32.sub(byte.get, 0x30))),
          forward(1),
          nextByte,
          again(),
        ]),
      ]),
      leave(isDigit),
      power.set(i32.add(power.get, i32.choose(close.get, i32.sub(0, count.get), count.get))),
    ]),
    // What is cut off here may go on.
    leave(i32.ge(from.get, end.get)),
  ];

  const tenTo = (exponent: Expression) => f64.load(i32.shl(exponent, 3), layout.doublePowers);
  const off = f64.mul(value.get, slack);
  const mayRoundOtherwise = f64.f32Differ(
    f64.toF32(f64.sub(value.get, off)),
    f64.toF32(f64.add(value.get, off)),
  );
  const isInexact = i64.gt(mantissa.get, 2n ** 53n);
  const compute = (leave: Jump): Expression[] => [
    block((found) => [
      when(i32.le(i32.add(power.get, mostExact), 2 * mostExact), [
        value.set(f64.ofI64(mantissa.get)),
        when(i32.ltSigned(power.get, 0), [
          value.set(f64.div(value.get, tenTo(i32.sub(0, power.get)))),
        ]),
        when(i32.gtSigned(power.get, 0), [value.set(f64.mul(value.get, tenTo(power.get)))]),
        found(i32.not(kind === "f32" ? i32.and(isInexact, mayRoundOtherwise) : isInexact)),
      ]),
      value.set(0),
      found(i64.eq(mantissa.get, 0)),
      value.set(call(scale, [mantissa.get, power.get])),
    ]),
    leave(i32.not(f64.lt(value.get, kind === "f32" ? belowFloat32Range : Infinity))),
    value.set(f64.withSignOf(value.get, f64.ofBits(i64.shl(i64.ofI32(isNegative.get), 63)))),
  ];

  const store =
    kind === "f32" ? f64.storeF32(out.get, f64.toF32(value.get)) : f64.store(out.get, value.get);
  const body = block((leave) => [
    loop((again) => [
      leave(i32.ge(out.get, outEnd.get)),
      ...begin(leave),
      ...measure(leave),
      ...limitDigits(leave),
      ...readWhole,
      ...readFraction,
      ...readExponent(leave),
      ...compute(leave),
      store,
      out.set(i32.add(out.get, kind === "f32" ? 4 : 8)),
      at.set(from.get),
      needsComma.set(1),
      again(),
    ]),
  ]);
  return fn.finish("i32", [body, i32.store(0, out.get, layout.second)], at.get);
}
