import { type AppError, fail } from "@/lib/common/errors";

const block = 512;

/** A plain file of a tar: its bytes pass by once, and have to be read before the next member is asked for. */
export interface TarMember {
  readonly name: string;
  readonly sizeBytes: number;
  readonly body: AsyncIterable<Buffer>;
}

/**
 * The members of a tar of plain files, such as `tarHeader` begins them, as its bytes come. What is left unread of a member is
 * passed over.
 *
 * @throws {AppError} `ARCHIVE_INVALID` when it is none, when it is cut off, or when something follows its end.
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarMember> {
  const bytes = new ByteReader(source);
  for (;;) {
    const header = await bytes.take(block);
    if (isEmpty(header)) break;
    const { name, sizeBytes } = readHeader(header);
    let left = sizeBytes;
    const rest = async function* () {
      while (left > 0) {
        const piece = await bytes.next(left);
        left -= piece.length;
        yield piece;
      }
    };
    yield { name, sizeBytes, body: rest() };
    for await (const _unread of rest());
    const padding = await bytes.take((block - (sizeBytes % block)) % block);
    if (!isEmpty(padding)) throw invalid("a member is longer than its header says");
  }
  if (!isEmpty(await bytes.take(block))) throw invalid("an empty block stands within it");
  if (!(await bytes.isOver())) throw invalid("something follows its end");
}

/** Bytes of a stream in the lengths that a reader asks for. */
class ByteReader {
  private readonly pieces: AsyncIterator<Uint8Array>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.pieces = source[Symbol.asyncIterator]();
  }

  /** So many bytes, at once: few. */
  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const part = await this.next(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** The next bytes, as they came, but no more than `most`. */
  async next(most: number): Promise<Buffer> {
    if (this.rest.length === 0 && !(await this.refill())) throw invalid("it is cut off");
    const piece = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(piece.length);
    return piece;
  }

  async isOver(): Promise<boolean> {
    return this.rest.length === 0 && !(await this.refill());
  }

  /** False at the end. */
  private async refill(): Promise<boolean> {
    while (this.rest.length === 0) {
      const { done, value } = await this.pieces.next();
      if (done) return false;
      this.rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    return true;
  }
}

function readHeader(header: Buffer): { name: string; sizeBytes: number } {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  const isTar = header.toString("latin1", 257, 262) === "ustar";
  if (!isTar || sum !== Number.parseInt(header.toString("latin1", 148, 154), 8))
    throw invalid("a header is none");
  if (header.toString("latin1", 156, 157) !== "0") throw invalid("a member is no plain file");
  const prefix = field(header, 345, 500);
  const name = field(header, 0, 100);
  return { name: prefix === "" ? name : `${prefix}/${name}`, sizeBytes: sizeOf(header) };
}

const isEmpty = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

const field = (header: Buffer, from: number, to: number): string =>
  header.toString("latin1", from, to).replace(/\0.*$/s, "");

function sizeOf(header: Buffer): number {
  const isBinary = header[124] === 0x80;
  const size = isBinary
    ? Number(header.readBigUInt64BE(128))
    : Number.parseInt(header.toString("latin1", 124, 135), 8);
  if (!Number.isSafeInteger(size)) throw invalid("a header has an impossible size");
  return size;
}

function invalid(how: string): AppError {
  return fail("ARCHIVE_INVALID", `This archive cannot be read: ${how}.`);
}
