import { toBfloat16Bits, toFloat16Bits } from "./half";
import { beginsNumber, type ElementSource, outOfRange, type Sink, wrongElement } from "./sink";

/** How a datatype writes a number, and which of its codes stand for finite ones. */
interface FloatCode {
  readonly encode: (value: number) => number;
  readonly isFiniteCode: (code: number) => boolean;
}

const isFiniteDouble = (value: number): boolean => Number.isFinite(value);

const codes = {
  FP64: { encode: (value) => value, isFiniteCode: isFiniteDouble },
  FP32: { encode: Math.fround, isFiniteCode: isFiniteDouble },
  FP16: { encode: toFloat16Bits, isFiniteCode: (bits) => (bits & 0x7c00) !== 0x7c00 },
  BF16: { encode: toBfloat16Bits, isFiniteCode: (bits) => (bits & 0x7f80) !== 0x7f80 },
} as const satisfies Record<string, FloatCode>;

/** Stores floats as their codes. A finite number whose code is not finite is out of range. */
export function floatSink(
  source: ElementSource,
  datatype: keyof typeof codes,
  data: Float32Array | Float64Array | Uint16Array,
): Sink {
  const { scanner } = source;
  const { encode, isFiniteCode }: FloatCode = codes[datatype];
  const isNarrow = datatype !== "FP64";

  /** The code of the number just read, whose double may be a few steps off. */
  const encodeNumber = (value: number): number => {
    if (scanner.exact) return encode(value);
    // Narrow types mostly do not care, and where they do the text decides.
    const slack = Math.abs(value) * 1e-15;
    const matters = !isNarrow || encode(value - slack) !== encode(value + slack);
    return encode(matters ? Number(scanner.token()) : value);
  };
  const store = (index: number): void => {
    const byte = scanner.peek();
    if (!beginsNumber(byte)) {
      data[index] = encode(readSpecialNumber(source, index));
      return;
    }
    if (byte === 0x2d && scanner.acceptWord("-Infinity")) {
      data[index] = encode(-Infinity);
      return;
    }
    const code = encodeNumber(scanner.readNumber());
    if (!isFiniteCode(code)) throw outOfRange(source, index);
    data[index] = code;
  };
  return { data, store };
}

/** What clients send where JSON has no number: bare words, the same as strings, null for not-a-number. */
function readSpecialNumber(source: ElementSource, index: number): number {
  const { scanner } = source;
  const quoted = scanner.accept(0x22);
  const value = scanner.acceptWord("NaN")
    ? NaN
    : scanner.acceptWord("Infinity")
      ? Infinity
      : quoted && scanner.acceptWord("-Infinity")
        ? -Infinity
        : !quoted && scanner.acceptWord("null")
          ? NaN
          : null;
  if (value === null || (quoted && scanner.bytes[scanner.pos] !== 0x22)) {
    throw wrongElement(source, index, `expected a number for ${source.datatype}`);
  }
  if (quoted) scanner.pos++;
  return value;
}
