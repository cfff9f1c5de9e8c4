const block = 512;
/** Two empty blocks. */
export const tarEnd: Uint8Array = new Uint8Array(2 * block);

/**
 * The header of a plain file in a tar (POSIX.1-1988, ustar). It says nothing of times, owners and machines, so that equal
 * files have equal headers.
 *
 * @param name ASCII, at most 100 characters; up to 255 if a `/` lies well.
 */
export function tarHeader(name: string, sizeBytes: number): Uint8Array {
  const header = Buffer.alloc(block);
  const { prefix, rest } = split(name);
  header.write(rest, 0, "latin1");
  header.write(prefix, 345, "latin1");
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  writeSize(header, sizeBytes);
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

/** A name of more than 100 characters is cut at a `/`: what comes before it, at most 155, has a field of its own. */
function split(name: string): { prefix: string; rest: string } {
  if (/^[\x21-\x7e]{1,100}$/.test(name)) return { prefix: "", rest: name };
  const [, prefix, rest] = /^([\x21-\x7e]{1,155})\/([\x21-\x7e]{1,100})$/.exec(name) ?? [];
  if (prefix === undefined || rest === undefined) throw new RangeError(`${name} is no plain name.`);
  return { prefix, rest };
}

/** Octal digits up to 8 GiB; beyond, bytes after a first bit that is set, as GNU tar has it. */
function writeSize(header: Buffer, sizeBytes: number): void {
  if (sizeBytes < 8 ** 11) header.write(`${octal(sizeBytes, 11)}\0`, 124);
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(sizeBytes), 128);
  }
}

function octal(value: number, digits: number): string {
  const text = value.toString(8).padStart(digits, "0");
  if (text.length > digits) throw new RangeError(`${value} is too large for a tar header.`);
  return text;
}
