import { ConnectionError, errorCodes } from "./errors";
import { decodeHuffman } from "./huffman";
import { staticTable } from "./static-table";

/** A header field; `name` is as it came. */
export type Field = readonly [name: string, value: string];

/** Bytes that a field counts for beyond its texts. @see RFC 7541 section 4.1 */
const fieldOverhead = 32;
const maxTableBytes = 4096;
/** Lists of fields above this are refused, counted as the table counts. */
const maxListBytes = 65_536;
/** Blocks that are remembered whole: a client repeats itself. */
const maxKnownBlocks = 64;
const maxKnownBlockBytes = 256;

/** Reads header blocks. It belongs to one connection, whose blocks it must see all and in order. */
export class HeaderReader {
  /** Newest first. */
  private table: Field[] = [];
  private tableBytes = 0;
  private limitBytes = maxTableBytes;
  /** What blocks said that changed nothing; forgotten with the next change of the table. */
  private readonly known = new Map<string, readonly Field[]>();
  private changed = false;

  /** @throws {ConnectionError} `compression`, or `enhanceYourCalm` for a list that is too long. */
  read(block: Buffer): readonly Field[] {
    const key = block.length <= maxKnownBlockBytes ? block.toString("latin1") : null;
    const seen = key === null ? undefined : this.known.get(key);
    if (seen) return seen;
    this.changed = false;
    const fields = this.decode(block);
    if (this.changed) this.known.clear();
    else if (key !== null && this.known.size < maxKnownBlocks) this.known.set(key, fields);
    return fields;
  }

  private decode(block: Buffer): readonly Field[] {
    const cursor = new Cursor(block);
    const fields: Field[] = [];
    let listBytes = 0;
    while (!cursor.isAtEnd) {
      const first = cursor.peek();
      if ((first & 0xe0) === 0x20) {
        if (fields.length > 0) throw broken("the table's size changes within a block");
        this.resize(cursor.integer(5));
        continue;
      }
      const field = this.field(cursor, first);
      listBytes += sizeOf(field);
      if (listBytes > maxListBytes) {
        throw new ConnectionError(errorCodes.enhanceYourCalm, "the headers are too long");
      }
      fields.push(field);
    }
    return fields;
  }

  private field(cursor: Cursor, first: number): Field {
    if ((first & 0x80) !== 0) return this.at(cursor.integer(7));
    const isKept = (first & 0xc0) === 0x40;
    const index = cursor.integer(isKept ? 6 : 4);
    const name = index === 0 ? cursor.text() : this.at(index)[0];
    const field: Field = [name, cursor.text()];
    if (isKept) this.keep(field);
    return field;
  }

  private at(index: number): Field {
    const field =
      index <= staticTable.length
        ? staticTable[index - 1]
        : this.table[index - staticTable.length - 1];
    if (!field) throw broken(`there is no field ${index}`);
    return field;
  }

  private keep(field: Field): void {
    this.changed = true;
    this.table.unshift(field);
    this.tableBytes += sizeOf(field);
    this.evict();
  }

  private resize(bytes: number): void {
    if (bytes > maxTableBytes) throw broken("the table is larger than was allowed");
    this.changed = true;
    this.limitBytes = bytes;
    this.evict();
  }

  private evict(): void {
    while (this.tableBytes > this.limitBytes) {
      const last = this.table.pop();
      if (!last) return;
      this.tableBytes -= sizeOf(last);
    }
  }
}

const sizeOf = ([name, value]: Field): number => name.length + value.length + fieldOverhead;
const broken = (what: string) => new ConnectionError(errorCodes.compression, what);

/** Steps through a block. */
class Cursor {
  private readonly block: Buffer;
  private place = 0;

  constructor(block: Buffer) {
    this.block = block;
  }

  get isAtEnd(): boolean {
    return this.place >= this.block.length;
  }

  peek(): number {
    return this.block[this.place] ?? 0;
  }

  /** A number whose first bits share a byte with a flag. @see RFC 7541 section 5.1 */
  integer(prefixBits: number): number {
    const mask = 2 ** prefixBits - 1;
    let value = this.next() & mask;
    if (value < mask) return value;
    for (let shift = 0; ; shift += 7) {
      if (shift > 21) throw broken("a number is too large");
      const byte = this.next();
      value += (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return value;
    }
  }

  text(): string {
    const isPacked = (this.peek() & 0x80) !== 0;
    const length = this.integer(7);
    const end = this.place + length;
    if (end > this.block.length) throw broken("a text is cut off");
    const bytes = this.block.subarray(this.place, end);
    this.place = end;
    return isPacked ? decodeHuffman(bytes) : bytes.toString("latin1");
  }

  private next(): number {
    const byte = this.block[this.place++];
    if (byte === undefined) throw broken("the block is cut off");
    return byte;
  }
}

/** A block of fields for the other side, as plain texts that leave its table alone. */
export function writeHeaders(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([name, value]) => [
      Buffer.from([0]),
      ...[name, value].flatMap((text) => {
        const bytes = Buffer.from(text, "latin1");
        return [lengthOf(bytes.length), bytes];
      }),
    ]),
  );
}

function lengthOf(length: number): Buffer {
  const prefix = 0x7f;
  if (length < prefix) return Buffer.from([length]);
  const bytes = [prefix];
  let rest = length - prefix;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
