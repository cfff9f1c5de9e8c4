const block = 512;
/** Two empty blocks. */
export const tarEnd: Uint8Array = new Uint8Array(2 * block);

/**
 * The header of a plain file in a tar (POSIX.1-1988, ustar). It says nothing of times, owners and machines, so that equal
 * files have equal headers.
 *
 * @param name ASCII, at most 100 characters.
 */
export function tarHeader(name: string, sizeBytes: number): Uint8Array {
  if (!/^[\x21-\x7e]{1,100}$/.test(name)) throw new RangeError(`${name} is no plain name.`);
  const header = Buffer.alloc(block);
  header.write(name, 0, "latin1");
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${octal(sizeBytes, 11)}\0`, 124);
  header.write(`${octal(0, 11)}\0`, 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

/** What fills the last block of a file. */
export function tarPadding(sizeBytes: number): Uint8Array {
  return new Uint8Array((block - (sizeBytes % block)) % block);
}

/** How many bytes a tar of plain files has. */
export function tarSize(sizes: readonly number[]): number {
  const members = sizes.reduce((sum, size) => sum + block + size + tarPadding(size).length, 0);
  return members + tarEnd.length;
}

function octal(value: number, digits: number): string {
  const text = value.toString(8).padStart(digits, "0");
  if (text.length > digits) throw new RangeError(`${value} is too large for a tar header.`);
  return text;
}
