import { boolSink } from "./bool-sink";
import { bytesSink } from "./bytes-sink";
import { floatSink } from "./float-sink";
import { bigIntegerSink, integerSink } from "./integer-sink";
import type { ElementSource, Sink } from "./sink";

const signed = (bits: number) => ({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });
const unsigned = (bits: number) => ({ min: 0, max: 2 ** bits - 1 });

/** Makes room for `capacity` elements of a datatype, and what fills it. */
export function makeSink(source: ElementSource, capacity: number): Sink {
  const { datatype } = source;
  switch (datatype) {
    case "FP64":
      return floatSink(source, datatype, new Float64Array(capacity));
    case "FP32":
      return floatSink(source, datatype, new Float32Array(capacity));
    case "FP16":
    case "BF16":
      return floatSink(source, datatype, new Uint16Array(capacity));
    case "BOOL":
      return boolSink(source, new Uint8Array(capacity));
    case "BYTES":
      return bytesSink(source);
    case "INT64":
      return bigIntegerSink(source, new BigInt64Array(capacity), {
        min: -(2n ** 63n),
        max: 2n ** 63n - 1n,
      });
    case "UINT64":
      return bigIntegerSink(source, new BigUint64Array(capacity), { min: 0n, max: 2n ** 64n - 1n });
    case "INT8":
      return integerSink(source, new Int8Array(capacity), signed(8));
    case "INT16":
      return integerSink(source, new Int16Array(capacity), signed(16));
    case "INT32":
      return integerSink(source, new Int32Array(capacity), signed(32));
    case "UINT8":
      return integerSink(source, new Uint8Array(capacity), unsigned(8));
    case "UINT16":
      return integerSink(source, new Uint16Array(capacity), unsigned(16));
    case "UINT32":
      return integerSink(source, new Uint32Array(capacity), unsigned(32));
  }
}
