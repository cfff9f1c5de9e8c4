import { fromFloatWord, toFloatWord } from "@/lib/common/core-io";

/** Types of numbers that machines compute in here, by BondMachine's names. */
export const numberTypes = [
  "fps16f6",
  "fps16f8",
  "fps16f10",
  "fps16f12",
  "fps32f16",
  "fps32f24",
  "float16",
  "float32",
] as const;
/** One of those names. */
export type NumberTypeId = (typeof numberTypes)[number];

/** A type of numbers: how the assembler spells it, and what the machine's arithmetic makes of it, to the bit. */
export interface NumberType {
  readonly id: NumberTypeId;
  /** Bits of a register, a port and a constant. */
  readonly width: 16 | 32;
  /** Bits behind the point; 0 for floats, whose words are bit patterns. */
  readonly fraction: number;
  /** Whose bit patterns words are; null: they are integers. */
  readonly float: "FP16" | "FP32" | null;
  /** What a constant begins with. */
  readonly prefix: string;
  readonly add: string;
  readonly multiply: string;
  /** The word of a real constant as the assembler makes it. */
  readonly toWord: (value: number) => number;
  readonly toReal: (word: number) => number;
  /** Words in, a word out; all of them as signed integers of `width` bits. */
  readonly addWords: (a: number, b: number) => number;
  readonly multiplyWords: (a: number, b: number) => number;
  /** Of floats alone: nothing divides in fixed point here. */
  readonly divideWords?: (a: number, b: number) => number;
}

/**
 * Fixed point: constants are cut off toward zero, products are floored by an arithmetic shift, and everything wraps around.
 * Nothing saturates and nothing rounds.
 */
function fixed(
  id: Exclude<NumberTypeId, "float16" | "float32">,
  width: 16 | 32,
  fraction: number,
): NumberType {
  const wrap = width === 16 ? (value: number) => (value << 16) >> 16 : (value: number) => value | 0;
  return {
    id,
    width,
    fraction,
    float: null,
    prefix: `0fp<${width}.${fraction}>`,
    add: `addfps${width}f${fraction}`,
    multiply: `multfps${width}f${fraction}`,
    toWord: (value) => wrapReal(Math.trunc(value * 2 ** fraction), width),
    toReal: (word) => word * 2 ** -fraction,
    addWords: (a, b) => wrap(a + b),
    multiplyWords:
      width === 16
        ? (a, b) => wrap(Math.imul(a, b) >> fraction)
        : (a, b) => Number(BigInt.asIntN(32, (BigInt(a) * BigInt(b)) >> BigInt(fraction))),
  };
}

/** Keeps the low bits of an integer that may lie far outside of 32 bits. */
const wrapReal = (value: number, width: number): number =>
  Number(BigInt.asIntN(width, BigInt(value)));

/** IEEE 754, to nearest even; a product is rounded before it is added. Rounding a double's result once more changes nothing. */
function float(
  names: Pick<NumberType, "id" | "width" | "add" | "multiply">,
  kind: "FP16" | "FP32",
): NumberType {
  const { width } = names;
  const toWord = (value: number) => toFloatWord(kind, value);
  const toReal = (word: number) => fromFloatWord(kind, word);
  const result = (value: number) => (Number.isNaN(value) ? noNumber[kind] : toWord(value));
  return {
    ...names,
    fraction: 0,
    float: kind,
    toWord,
    toReal,
    prefix: `0f<${width}>`,
    addWords: (a, b) => result(toReal(a) + toReal(b)),
    multiplyWords: (a, b) => result(toReal(a) * toReal(b)),
    divideWords: (a, b) => result(toReal(a) / toReal(b)),
  };
}

/** What the machine's units make of an operation that has no result, like infinity less infinity: it has the sign bit. */
const noNumber = { FP16: -0x200, FP32: -0x400000 } as const;

const types: Readonly<Record<NumberTypeId, NumberType>> = {
  fps16f6: fixed("fps16f6", 16, 6),
  fps16f8: fixed("fps16f8", 16, 8),
  fps16f10: fixed("fps16f10", 16, 10),
  fps16f12: fixed("fps16f12", 16, 12),
  fps32f16: fixed("fps32f16", 32, 16),
  fps32f24: fixed("fps32f24", 32, 24),
  float16: float({ id: "float16", width: 16, add: "addf16", multiply: "multf16" }, "FP16"),
  float32: float({ id: "float32", width: 32, add: "addf", multiply: "multf" }, "FP32"),
};

/** The type of a name. */
export const numberTypeOf = (id: NumberTypeId): NumberType => types[id];

/** Digits that upstream's own constants have, and the most that a double is printed with here. */
const decimals = { usual: 9, most: 30 } as const;

const mostPlain = 1e21;

/**
 * A constant as the assembler reads it: nine decimals, more of them where a float would come out as another one.
 *
 * @param value Finite.
 */
export function literalOf(type: NumberType, value: number): string {
  // Beyond this, a double is an integer that \`toFixed\` writes with an exponent.
  if (Math.abs(value) >= mostPlain) return `${BigInt(value)}.0`;
  const usual = value.toFixed(decimals.usual);
  const isExact = (text: string) => type.toWord(Number(text)) === type.toWord(value);
  if (type.float === null || isExact(usual)) return usual;
  for (let count = decimals.usual + 1; count < decimals.most; count++) {
    const text = value.toFixed(count);
    if (isExact(text)) return text;
  }
  return value.toFixed(decimals.most);
}

/** The word that the assembler makes of a real, by way of the text that it reads. */
export const constantOf = (type: NumberType, value: number): number =>
  type.toWord(Number(literalOf(type, value)));
