import { ConnectionError, errorCodes } from "./errors";

/** Bits of the code of each byte and of the end mark; codes of one length follow each other. @see RFC 7541 appendix B */
const lengths = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5,
  6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6,
  7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23,
  23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22,
  22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22,
  23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27,
  27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25,
  24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];
const endMark = 256;
const maxPaddingBits = 7;

/** The codes as a tree: two places a node; a positive entry is the next node, a negative one −1 − byte. */
const tree = grow();

function grow(): Int16Array {
  const symbols = lengths.map((_, symbol) => symbol);
  symbols.sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
  const nodes = new Int16Array(2 * lengths.length);
  let count = 1;
  let code = 0;
  let bits = 0;
  for (const symbol of symbols) {
    const length = lengths[symbol] ?? 0;
    code <<= length - bits;
    bits = length;
    let node = 0;
    for (let bit = length - 1; bit >= 0; bit--) {
      const place = 2 * node + ((code >>> bit) & 1);
      if (bit === 0) nodes[place] = -1 - symbol;
      else node = nodes[place] ||= count++;
    }
    code++;
  }
  return nodes;
}

/** @throws {ConnectionError} for a text that does not end as the code says. */
export function decodeHuffman(bytes: Buffer): string {
  const out = Buffer.allocUnsafe(Math.ceil((bytes.length * 8) / 5));
  let length = 0;
  let node = 0;
  /** Bits since the last whole byte, and whether all were ones. */
  let pending = 0;
  let ones = true;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const one = (byte >>> bit) & 1;
      const next = tree[2 * node + one] ?? 0;
      pending++;
      ones &&= one === 1;
      if (next >= 0) {
        node = next;
        continue;
      }
      if (next === -1 - endMark) throw broken();
      out[length++] = -1 - next;
      node = 0;
      pending = 0;
      ones = true;
    }
  }
  if (pending > maxPaddingBits || !ones) throw broken();
  return out.toString("latin1", 0, length);
}

const broken = () => new ConnectionError(errorCodes.compression, "a header's text is broken");
