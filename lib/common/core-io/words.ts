/**
 * The signed words that bytes of a core's port begin with, the low byte first.
 *
 * @param bytesEach 1, 2 or 4.
 * @param count All of them, where it is left out.
 * @throws {RangeError} when there are fewer bytes.
 */
export function readWords(
  { buffer, byteOffset, byteLength }: Uint8Array | Int8Array,
  bytesEach: number,
  count = byteLength / bytesEach,
): Int32Array {
  const view = new DataView(buffer, byteOffset, byteLength);
  const words = new Int32Array(count);
  for (let index = 0; index < words.length; index++) {
    const at = index * bytesEach;
    if (bytesEach === 1) words[index] = view.getInt8(at);
    else if (bytesEach === 2) words[index] = view.getInt16(at, true);
    else words[index] = view.getInt32(at, true);
  }
  return words;
}
