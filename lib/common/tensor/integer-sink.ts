import { integerOfToken } from "./integer-token";
import { beginsNumber, type ElementSource, outOfRange, type Sink, wrongElement } from "./sink";

type Integers = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array;

/** Stores integers of up to 32 bits. */
export function integerSink(
  source: ElementSource,
  data: Integers,
  { min, max }: { min: number; max: number },
): Sink {
  const { scanner } = source;
  const store = (index: number): void => {
    requireNumber(source, index);
    const read = scanner.readNumber();
    const isSafe = scanner.plain && Number.isSafeInteger(read);
    const value = isSafe ? read : Number(integerToken(source, index));
    if (value < min || value > max) throw outOfRange(source, index);
    data[index] = value;
  };
  return { data, store };
}

/** Stores integers of 64 bits, of which a double would lose the last digits. */
export function bigIntegerSink(
  source: ElementSource,
  data: BigInt64Array | BigUint64Array,
  { min, max }: { min: bigint; max: bigint },
): Sink {
  const { scanner } = source;
  const store = (index: number): void => {
    requireNumber(source, index);
    const read = scanner.readNumber();
    const isSafe = scanner.plain && Number.isSafeInteger(read);
    const value = isSafe ? BigInt(read) : integerToken(source, index);
    if (value < min || value > max) throw outOfRange(source, index);
    data[index] = value;
  };
  return { data, store };
}

function requireNumber(source: ElementSource, index: number): void {
  if (beginsNumber(source.scanner.peek())) return;
  throw wrongElement(source, index, `expected an integer for ${source.datatype}`);
}

/** The number just read, whole: `1e3` and `2.0` are integers too. */
function integerToken(source: ElementSource, index: number): bigint {
  const text = source.scanner.token();
  const integer = integerOfToken(text);
  if (integer !== null) return integer;
  const shown = text.slice(0, 40);
  throw wrongElement(
    source,
    index,
    `${shown} is not an integer in the range of ${source.datatype}`,
  );
}
