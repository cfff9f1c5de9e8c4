import type { OnnxTensor } from "@/proto/onnx";

type Read = (index: number) => number;

/**
 * Reads single elements of a tensor as numbers, wherever the file keeps them; 64-bit integers are exact up to 2^53.
 *
 * @returns null for element types that are not read here.
 */
export function elementReader(tensor: OnnxTensor): Read | null {
  const { rawData, floatData, doubleData, int32Data, int64Data, uint64Data } = tensor;
  const raw = new DataView(rawData.buffer, rawData.byteOffset, rawData.byteLength);
  const isRaw = rawData.length > 0;
  const pick = (fromRaw: Read, list: ArrayLike<number | bigint>, convert: Read = same): Read =>
    isRaw ? fromRaw : (index) => convert(Number(list[index] ?? 0));

  switch (tensor.dataType) {
    case 1:
      return pick((index) => raw.getFloat32(index * 4, true), floatData);
    case 2:
      return pick(
        (index) => raw.getUint8(index),
        int32Data,
        (value) => value & 0xff,
      );
    case 9:
      return pick(
        (index) => raw.getUint8(index),
        int32Data,
        (value) => (value === 0 ? 0 : 1),
      );
    case 3:
      return pick(
        (index) => raw.getInt8(index),
        int32Data,
        (value) => (value << 24) >> 24,
      );
    case 4:
      return pick(
        (index) => raw.getUint16(index * 2, true),
        int32Data,
        (value) => value & 0xffff,
      );
    case 5:
      return pick(
        (index) => raw.getInt16(index * 2, true),
        int32Data,
        (value) => (value << 16) >> 16,
      );
    case 6:
      return pick((index) => raw.getInt32(index * 4, true), int32Data);
    case 7:
      return pick((index) => Number(raw.getBigInt64(index * 8, true)), int64Data);
    case 10:
      return pick((index) => halfToNumber(raw.getUint16(index * 2, true)), int32Data, halfToNumber);
    case 11:
      return pick((index) => raw.getFloat64(index * 8, true), doubleData);
    case 12:
      return pick((index) => raw.getUint32(index * 4, true), uint64Data);
    case 13:
      return pick((index) => Number(raw.getBigUint64(index * 8, true)), uint64Data);
    case 16:
      return pick(
        (index) => brainToNumber(raw.getUint16(index * 2, true)),
        int32Data,
        brainToNumber,
      );
    default:
      return null;
  }
}

const same: Read = (value) => value;

/** The value of IEEE 754 binary16 bits. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 0x1f) return mantissa === 0 ? sign * Infinity : NaN;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}

const scratch = new DataView(new ArrayBuffer(4));

/** The value of bfloat16 bits, which are the upper half of a float32. */
function brainToNumber(bits: number): number {
  scratch.setUint32(0, (bits & 0xffff) * 0x10000);
  return scratch.getFloat32(0);
}
