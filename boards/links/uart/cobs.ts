/** A code of 255 stands for 254 bytes without a zero after them. */
const FULL = 255;

/**
 * Consistent overhead byte stuffing: the bytes without any zero, one byte longer per started 254. No delimiter is added.
 * @see Cheshire and Baker 1999
 */
export function cobsEncode(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + Math.floor(bytes.length / 254) + 1);
  let code = 0;
  let end = 1;
  for (const [i, byte] of bytes.entries()) {
    if (byte !== 0) out[end++] = byte;
    const full = end - code === FULL && i + 1 < bytes.length;
    if (byte !== 0 && !full) continue;
    out[code] = end - code;
    code = end++;
  }
  out[code] = end - code;
  return out.subarray(0, end);
}

/** Undoes `cobsEncode`; null for bytes that no encoder makes: with a zero inside, or with the last block cut off. */
export function cobsDecode(bytes: Uint8Array): Uint8Array | null {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  let at = 0;
  while (at < bytes.length) {
    const code = bytes[at] ?? 0;
    const block = bytes.subarray(at + 1, at + code);
    if (code === 0 || block.length !== code - 1 || block.includes(0)) return null;
    out.set(block, length);
    length += block.length;
    at += code;
    if (code !== FULL && at < bytes.length) length += 1;
  }
  return out.subarray(0, length);
}
