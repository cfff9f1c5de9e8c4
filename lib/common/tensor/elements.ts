import type { Datatype } from "./datatypes";
import { readFloatRun } from "./float-run";
import { toBfloat16Bits, toFloat16Bits } from "./half";
import { integerOfToken } from "./integer-token";
import { type JsonScanner, maxDepth } from "./json-scanner";
import { invalid } from "./shape";
import type { TensorData } from "./tensor";

/** Stores elements, one call each, in order. */
interface Sink {
  readonly data: TensorData;
  /** Reads the element that comes next and stores it at `index`. */
  store(index: number): void;
}

export interface ElementsRequest {
  readonly datatype: Datatype;
  /** Elements expected; more are counted, not stored. */
  readonly count: number;
  /** How errors name the tensor: `input 'x'`. */
  readonly label: string;
}

/**
 * Reads the `data` of a tensor, flat or nested, straight into a typed array.
 *
 * @returns The array, `count` long.
 * @throws {AppError} `INFER_INVALID` for an element of the wrong kind or range, ragged nesting, or another count.
 */
export function readElements(
  scanner: JsonScanner,
  depth: number,
  request: ElementsRequest,
): TensorData {
  const { count, label } = request;
  scanner.counter.list(count, label);
  if (request.datatype === "BYTES") scanner.counter.addStrings(count, label);
  // Each element but the last takes two bytes at least, so a false shape cannot make us allocate more than it sent.
  const capacity = Math.min(count, Math.ceil((scanner.end - scanner.pos + 1) / 2));
  const sink = makeSink(scanner, capacity, request);
  const lengths: number[] = [];
  const counts: number[] = [];
  let leafLevel = -1;
  let read = 0;
  let level = 0;

  const close = (): void => {
    const length = counts[level] as number;
    const known = lengths[level];
    if (known === undefined) lengths[level] = length;
    else if (known !== length) throw ragged(label, read);
    level--;
  };

  for (;;) {
    if (scanner.peek() === 0x5b) {
      if (leafLevel !== -1 && level >= leafLevel) throw ragged(label, read);
      level++;
      if (depth + level - 1 > maxDepth) {
        throw scanner.error(`nesting is deeper than ${maxDepth} levels`);
      }
      scanner.pos++;
      counts[level] = 0;
      if (scanner.peek() !== 0x5d) continue;
      scanner.pos++;
      close();
    } else {
      if (leafLevel === -1) leafLevel = level;
      else if (leafLevel !== level) throw ragged(label, read);
      // Most of a large tensor is plain numbers in a row; what is not is read one by one.
      const run = level > 0 && isFloats(sink.data) ? readFloatRun(scanner, sink.data, read) : 0;
      if (run > 0) {
        read += run;
        counts[level] = (counts[level] as number) + run - 1;
      } else {
        if (read < capacity) sink.store(read);
        else scanner.skipValue(depth + level);
        read++;
      }
    }
    // After a value: the next element, or the ends of one or more arrays.
    for (;;) {
      if (level === 0) {
        if (read === count) return sink.data;
        throw invalid(`${label} has ${read} elements in its data, its shape asks for ${count}`);
      }
      counts[level] = (counts[level] as number) + 1;
      const next = scanner.peek();
      if (next === 0x2c) {
        scanner.pos++;
        break;
      }
      if (next !== 0x5d) throw scanner.error("expected ',' or ']'");
      scanner.pos++;
      close();
    }
  }
}

const isFloats = (data: TensorData): data is Float32Array | Float64Array =>
  data instanceof Float32Array || data instanceof Float64Array;

const ragged = (label: string, index: number) =>
  invalid(`the data of ${label} is nested unevenly at element ${index}`);

function makeSink(
  scanner: JsonScanner,
  capacity: number,
  { datatype, label }: ElementsRequest,
): Sink {
  const wrong = (index: number, why: string) => invalid(`element ${index} of ${label}: ${why}`);
  switch (datatype) {
    case "FP64":
      return floatSink(new Float64Array(capacity), (value) => value, isFiniteDouble);
    case "FP32":
      return floatSink(new Float32Array(capacity), Math.fround, isFiniteDouble);
    case "FP16":
      return floatSink(
        new Uint16Array(capacity),
        toFloat16Bits,
        (bits) => (bits & 0x7c00) !== 0x7c00,
      );
    case "BF16":
      return floatSink(
        new Uint16Array(capacity),
        toBfloat16Bits,
        (bits) => (bits & 0x7f80) !== 0x7f80,
      );
    case "BOOL":
      return boolSink();
    case "BYTES":
      return bytesSink();
    case "INT64":
      return bigSink(new BigInt64Array(capacity), -(2n ** 63n), 2n ** 63n - 1n);
    case "UINT64":
      return bigSink(new BigUint64Array(capacity), 0n, 2n ** 64n - 1n);
    case "INT8":
      return integerSink(new Int8Array(capacity), -128, 127);
    case "INT16":
      return integerSink(new Int16Array(capacity), -32768, 32767);
    case "INT32":
      return integerSink(new Int32Array(capacity), -(2 ** 31), 2 ** 31 - 1);
    case "UINT8":
      return integerSink(new Uint8Array(capacity), 0, 255);
    case "UINT16":
      return integerSink(new Uint16Array(capacity), 0, 65535);
    case "UINT32":
      return integerSink(new Uint32Array(capacity), 0, 2 ** 32 - 1);
  }

  /** `encode` gives what the array stores; a finite number whose code is not `finite` is out of range. */
  function floatSink(
    data: Float32Array | Float64Array | Uint16Array,
    encode: (value: number) => number,
    finite: (code: number) => boolean,
  ): Sink {
    const narrow = datatype !== "FP64";
    const store = (index: number): void => {
      const byte = scanner.peek();
      if ((byte < 0x30 || byte > 0x39) && byte !== 0x2d) {
        data[index] = encode(specialNumber(index));
        return;
      }
      if (byte === 0x2d && scanner.acceptWord("-Infinity")) {
        data[index] = encode(-Infinity);
        return;
      }
      const value = scanner.readNumber();
      let code = encode(value);
      if (!scanner.exact) {
        // The double may be a few steps off: narrow types mostly do not care, and where they do the text decides.
        const slack = Math.abs(value) * 1e-15;
        if (!narrow || encode(value - slack) !== encode(value + slack)) {
          code = encode(Number(scanner.token()));
        }
      }
      if (!finite(code)) throw wrong(index, `${scanner.token()} is out of range for ${datatype}`);
      data[index] = code;
    };
    return { data, store };
  }

  /** What clients send where JSON has no number: bare words, the same as strings, null for not-a-number. */
  function specialNumber(index: number): number {
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
      throw wrong(index, `expected a number for ${datatype}`);
    }
    if (quoted) scanner.pos++;
    return value;
  }

  function integerSink(
    data: Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array,
    min: number,
    max: number,
  ): Sink {
    const store = (index: number): void => {
      const value = readInteger(index);
      if (value < min || value > max) {
        throw wrong(index, `${scanner.token()} is out of range for ${datatype}`);
      }
      data[index] = value;
    };
    return { data, store };
  }

  function readInteger(index: number): number {
    requireNumber(index);
    const value = scanner.readNumber();
    if (scanner.plain && Number.isSafeInteger(value)) return value;
    return Number(integerToken(index));
  }

  function bigSink(data: BigInt64Array | BigUint64Array, min: bigint, max: bigint): Sink {
    const store = (index: number): void => {
      requireNumber(index);
      const value = scanner.readNumber();
      const safe = scanner.plain && Number.isSafeInteger(value);
      const integer = safe ? BigInt(value) : integerToken(index);
      if (integer < min || integer > max) {
        throw wrong(index, `${scanner.token()} is out of range for ${datatype}`);
      }
      data[index] = integer;
    };
    return { data, store };
  }

  function integerToken(index: number): bigint {
    const integer = integerOfToken(scanner.token());
    if (integer !== null) return integer;
    const text = scanner.token();
    throw wrong(index, `${text.slice(0, 40)} is not an integer in the range of ${datatype}`);
  }

  function requireNumber(index: number): void {
    const byte = scanner.peek();
    if ((byte < 0x30 || byte > 0x39) && byte !== 0x2d) {
      throw wrong(index, `expected an integer for ${datatype}`);
    }
  }

  function boolSink(): Sink {
    const data = new Uint8Array(capacity);
    const store = (index: number): void => {
      if (scanner.acceptWord("true")) data[index] = 1;
      else if (scanner.acceptWord("false")) data[index] = 0;
      else {
        requireBool(index);
        const value = scanner.readNumber();
        if (value !== 0 && value !== 1) throw wrong(index, "expected true, false, 0 or 1 for BOOL");
        data[index] = value;
      }
    };
    return { data, store };
  }

  function requireBool(index: number): void {
    const byte = scanner.peek();
    if ((byte < 0x30 || byte > 0x39) && byte !== 0x2d) {
      throw wrong(index, "expected true, false, 0 or 1 for BOOL");
    }
  }

  function bytesSink(): Sink {
    const data: Uint8Array[] = [];
    const store = (index: number): void => {
      if (scanner.peek() !== 0x22) throw wrong(index, "expected a string for BYTES");
      data.push(scanner.readStringBytes());
    };
    return { data, store };
  }
}

const isFiniteDouble = (value: number): boolean => Number.isFinite(value);
