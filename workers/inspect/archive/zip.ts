import { crc32, createInflateRaw } from "node:zlib";
import { isAppError } from "@/lib/common/errors";
import { ExpansionMeter, type Keep, Members } from "./members";
import { broken, rejected } from "./rejected";

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  readonly offset: number;
}

const text = new TextDecoder("utf-8", { fatal: true });
const endSize = 22;

/**
 * Lists and judges a zip archive: first all entries, then what they expand to, counted and thrown away but for what `keep`
 * takes.
 *
 * @returns The names of its entries.
 * @throws {AppError} `ARCHIVE_REJECTED` or `ARCHIVE_INVALID`.
 */
export async function judgeZip(bytes: Uint8Array, keep?: Keep): Promise<readonly string[]> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { entries, directoryOffset } = readDirectory(view);
  const members = new Members();
  const meter = new ExpansionMeter(bytes.length);
  const starts = checkPlaces(view, entries, directoryOffset);
  for (const entry of entries) {
    members.add(entry.name, entry.name.endsWith("/"));
    meter.claim(entry.sizeBytes);
  }
  for (const [index, entry] of entries.entries()) {
    const start = starts[index] ?? 0;
    const packed = view.subarray(start, start + entry.compressedBytes);
    await expand(packed, entry, (piece) => {
      meter.count(piece.length);
      keep?.(entry.name, piece);
    });
  }
  return members.names;
}

function readDirectory(view: Buffer): { entries: Entry[]; directoryOffset: number } {
  const end = findEnd(view);
  const count = view.readUInt16LE(end + 10);
  const size = view.readUInt32LE(end + 12);
  const directoryOffset = view.readUInt32LE(end + 16);
  if (directoryOffset + size > end) throw broken("its directory lies outside of the file");
  const entries: Entry[] = [];
  let position = directoryOffset;
  for (let index = 0; index < count; index += 1) {
    const { entry, next } = readEntry(view, position, end);
    entries.push(entry);
    position = next;
  }
  if (position !== directoryOffset + size) throw broken("its directory does not add up");
  return { entries, directoryOffset };
}

/** The record that ends a zip archive: nothing but its own comment may follow it. */
function findEnd(view: Buffer): number {
  const last = view.length - endSize;
  for (let position = last; position >= Math.max(0, last - 0xffff); position -= 1) {
    if (view.readUInt32LE(position) !== 0x06054b50) continue;
    if (position + endSize + view.readUInt16LE(position + 20) === view.length) return position;
  }
  throw broken("its end is missing");
}

function readEntry(view: Buffer, position: number, end: number): { entry: Entry; next: number } {
  if (position + 46 > end || view.readUInt32LE(position) !== 0x02014b50) {
    throw broken("its directory is damaged");
  }
  const nameLength = view.readUInt16LE(position + 28);
  const extraLength = view.readUInt16LE(position + 30);
  const next = position + 46 + nameLength + extraLength + view.readUInt16LE(position + 32);
  if (next > end) throw broken("its directory is damaged");
  const name = nameOf(view.subarray(position + 46, position + 46 + nameLength));
  const entry = {
    name,
    method: view.readUInt16LE(position + 10),
    crc: view.readUInt32LE(position + 16),
    compressedBytes: view.readUInt32LE(position + 20),
    sizeBytes: view.readUInt32LE(position + 24),
    offset: view.readUInt32LE(position + 42),
  };
  if ((view.readUInt16LE(position + 8) & 0x2041) !== 0) throw broken("it is encrypted");
  if (entry.method !== 0 && entry.method !== 8) throw broken("it uses an unknown compression");
  if ([entry.compressedBytes, entry.sizeBytes, entry.offset].includes(0xffff_ffff)) {
    throw rejected(name, "size", "claims 4 GiB or more");
  }
  checkKind(name, view.readUInt32LE(position + 38), view.readUInt8(position + 5));
  return { entry, next };
}

/** Files made on Unix carry their kind in the upper half of the attributes. */
function checkKind(name: string, attributes: number, system: number): void {
  const kind = (attributes >>> 28) & 0xf;
  if (system !== 3 || kind === 0 || kind === 0x8 || kind === 0x4) return;
  throw kind === 0xa
    ? rejected(name, "symbolic-link", "is a symbolic link")
    : rejected(name, "kind", "is no plain file");
}

function nameOf(bytes: Uint8Array): string {
  try {
    return text.decode(bytes);
  } catch {
    throw broken("a name is not UTF-8");
  }
}

/** Where each entry's bytes begin. Entries must agree with their own headers and not overlap. */
function checkPlaces(view: Buffer, entries: readonly Entry[], directoryOffset: number): number[] {
  const starts = entries.map((entry) => startOf(view, entry, directoryOffset));
  const order = entries
    .map(({ offset, compressedBytes }, index) => ({
      from: offset,
      to: (starts[index] ?? 0) + compressedBytes,
    }))
    .sort((a, b) => a.from - b.from);
  for (const [index, { to }] of order.entries()) {
    if (to > (order[index + 1]?.from ?? directoryOffset)) throw broken("its entries overlap");
  }
  return starts;
}

function startOf(view: Buffer, { name, offset, method }: Entry, directoryOffset: number): number {
  if (offset + 30 > directoryOffset || view.readUInt32LE(offset) !== 0x04034b50) {
    throw broken("an entry is not where its directory says");
  }
  const nameEnd = offset + 30 + view.readUInt16LE(offset + 26);
  const localName = nameOf(view.subarray(offset + 30, nameEnd));
  if (localName !== name || view.readUInt16LE(offset + 8) !== method) {
    throw broken("its directory and its entries disagree");
  }
  return nameEnd + view.readUInt16LE(offset + 28);
}

async function expand(
  bytes: Buffer,
  entry: Entry,
  onPiece: (piece: Uint8Array) => void,
): Promise<void> {
  let size = 0;
  let crc = 0;
  const take = (chunk: Uint8Array) => {
    onPiece(chunk);
    size += chunk.length;
    crc = crc32(chunk, crc);
  };
  if (entry.method === 0) take(bytes);
  else await inflate(bytes, take);
  if (size !== entry.sizeBytes || crc !== entry.crc) throw broken("an entry fails its checksum");
}

async function inflate(bytes: Buffer, take: (chunk: Uint8Array) => void): Promise<void> {
  const stream = createInflateRaw();
  stream.end(bytes);
  try {
    const chunks: AsyncIterable<Buffer> = stream;
    for await (const chunk of chunks) take(chunk);
  } catch (error) {
    throw isAppError(error) ? error : broken("an entry is damaged");
  } finally {
    stream.destroy();
  }
}
