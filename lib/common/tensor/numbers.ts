import type { TensorData } from "./tensor";

/**
 * The elements of a tensor as a list: BigInts where they have 64 bits, patterns of bits for FP16 and BF16.
 *
 * @throws {RangeError} for BYTES, which are no numbers.
 */
export function numbersOf(data: TensorData): (number | bigint)[] {
  if (!ArrayBuffer.isView(data)) throw new RangeError("BYTES are no numbers.");
  return Array.from<number | bigint>(data);
}
