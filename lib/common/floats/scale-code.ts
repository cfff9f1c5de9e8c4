import {
  block,
  type Expression,
  FunctionBuilder,
  type FunctionSource,
  f64,
  i32,
  i64,
  type Local,
  when,
} from "@/lib/common/wasm";
import { layout } from "./layout";
import { widestExponents } from "./tables";

/**
 * `scale(mantissa, exponent)`: the double nearest to mantissa × 10^exponent, ties to even, by a product with 128 bits of the
 * power; not-a-number where those do not decide it, and for subnormals and what is too large. The mantissa is not zero.
 *
 * The power is cut off, so the true product lies between the one found and that plus the mantissa: where the sum would carry
 * into the bits that count, more of the power is taken, or nothing is answered.
 *
 * @see D. Lemire, "Number parsing at a gigabyte per second", 2021
 */
export function scaleCode(): FunctionSource {
  const fn = new FunctionBuilder();
  const mantissa = fn.parameter("i64");
  const exponent = fn.parameter("i32");
  const [entry, shift, carry] = [fn.local("i32"), fn.local("i32"), fn.local("i32")];
  const [factor, upper, lower, nextUpper, nextLower, middle, result] = [
    fn.local("i64"),
    fn.local("i64"),
    fn.local("i64"),
    fn.local("i64"),
    fn.local("i64"),
    fn.local("i64"),
    fn.local("i64"),
  ];
  const nothing = 0x7ff8_0000_0000_0000n;

  /** The 128 bits of mantissa × factor, from four products of 32 bits each. */
  const multiply = (high: Local, low: Local): Expression[] => {
    const half = (value: Local, isUpper: boolean) =>
      isUpper ? i64.shr(value.get, 32) : i64.and(value.get, 0xffff_ffff);
    return [
      low.set(i64.mul(half(mantissa, false), half(factor, false))),
      middle.set(i64.add(i64.mul(half(mantissa, true), half(factor, false)), i64.shr(low.get, 32))),
      high.set(i64.add(i64.mul(half(mantissa, true), half(factor, true)), i64.shr(middle.get, 32))),
      middle.set(
        i64.add(
          i64.mul(half(mantissa, false), half(factor, true)),
          i64.and(middle.get, 0xffff_ffff),
        ),
      ),
      high.set(i64.add(high.get, i64.shr(middle.get, 32))),
      low.set(i64.mul(mantissa.get, factor.get)),
    ];
  };
  /** Whether adding the mantissa to a word would carry. */
  const mayCarry = (word: Local) => i64.lt(i64.add(word.get, mantissa.get), word.get);
  /** Whether all bits that are rounded away are ones, so that a carry would come through. */
  const isFull = (word: Local) => i64.eq(i64.and(word.get, 0x1ff), 0x1ff);

  const refine = [
    factor.set(i64.load(entry.get, layout.widePowers + 8)),
    ...multiply(nextUpper, nextLower),
    lower.set(i64.add(lower.get, nextUpper.get)),
    upper.set(i64.add(upper.get, i64.ofI32(i64.lt(lower.get, nextUpper.get)))),
  ];

  const body = block((leave) => [
    result.set(nothing),
    leave(i32.gtSigned(exponent.get, widestExponents.most)),
    leave(i32.ltSigned(exponent.get, widestExponents.least)),
    entry.set(i32.shl(i32.sub(exponent.get, widestExponents.least), 4)),
    shift.set(i32.ofI64(i64.leadingZeros(mantissa.get))),
    mantissa.set(i64.shl(mantissa.get, i64.ofI32(shift.get))),
    factor.set(i64.load(entry.get, layout.widePowers)),
    ...multiply(upper, lower),
    when(i32.and(isFull(upper), mayCarry(lower)), [
      ...refine,
      leave(i32.and(i32.and(isFull(upper), i64.eq(lower.get, -1)), mayCarry(nextLower))),
    ]),
    // The binary exponent of 10^n is n times the logarithm of ten, 217706 / 65536, rounded down; a double's bias is 1023.
    shift.set(
      i32.sub(i32.add(i32.shrSigned(i32.mul(exponent.get, 217_706), 16), 64 + 1023), shift.get),
    ),
    carry.set(i32.ofI64(i64.shr(upper.get, 63))),
    result.set(i64.shr(upper.get, i64.ofI32(i32.add(carry.get, 9)))),
    shift.set(i32.sub(shift.get, i32.xor(carry.get, 1))),
    // Just half way as far as can be seen: the bits that were cut off would decide.
    when(
      i32.and(
        i32.and(i64.eq(lower.get, 0), i64.eq(i64.and(upper.get, 0x1ff), 0)),
        i64.eq(i64.and(result.get, 3), 1),
      ),
      [result.set(nothing), leave()],
    ),
    result.set(i64.shr(i64.add(result.get, i64.and(result.get, 1)), 1)),
    when(i64.gt(result.get, 0x1f_ffff_ffff_ffffn), [
      result.set(i64.shr(result.get, 1)),
      shift.set(i32.add(shift.get, 1)),
    ]),
    when(i32.ge(i32.sub(shift.get, 1), 0x7fe), [result.set(nothing), leave()]),
    result.set(i64.or(i64.and(result.get, 0xf_ffff_ffff_ffffn), i64.shl(i64.ofI32(shift.get), 52))),
  ]);
  return fn.finish("f64", [body], f64.ofBits(result.get));
}
