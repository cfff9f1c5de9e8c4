import { archiveLimits } from "./limits";
import { type ExpansionMeter, type Keep, Members } from "./members";
import { broken, rejected } from "./rejected";

const block = 512;
const text = new TextDecoder("utf-8", { fatal: true });

/** Kinds of member that are never taken, by type flag. */
const refusedKinds: Readonly<Record<string, readonly [rule: string, what: string]>> = {
  "1": ["hard-link", "is a hard link"],
  "2": ["symbolic-link", "is a symbolic link"],
  "3": ["device", "is a device"],
  "4": ["device", "is a device"],
  "6": ["fifo", "is a named pipe"],
  S: ["sparse", "is a sparse file, which is not accepted"],
  M: ["multi-volume", "continues another volume"],
  V: ["multi-volume", "labels a volume"],
  D: ["dump", "is a folder of an incremental dump"],
};

interface Header {
  readonly name: string;
  readonly kind: string;
  readonly sizeBytes: number;
}

/**
 * Reads the members of a tar stream, block by block, and judges each. Contents pass by, into `keep` if it is given; here
 * only the small members that hold names are kept.
 */
export class TarJudge {
  readonly members = new Members();
  private rest: Uint8Array<ArrayBufferLike> = new Uint8Array();
  /** Bytes of the current member, padding included, that have still to pass. */
  private toSkip = 0;
  private attribute: { kind: string; sizeBytes: number; bytes: number[] } | null = null;
  private longName: string | null = null;
  private zeroBlocks = 0;
  /** The file that passes, and how much of it is still to come. */
  private file: { name: string; bytesLeft: number } | null = null;
  private readonly meter: ExpansionMeter;
  private readonly keepFile: Keep | undefined;

  constructor(meter: ExpansionMeter, keepFile?: Keep) {
    this.meter = meter;
    this.keepFile = keepFile;
  }

  push(chunk: Uint8Array): void {
    this.meter.count(chunk.length);
    let bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    for (;;) {
      if (this.toSkip > 0) {
        const passing = Math.min(this.toSkip, bytes.length);
        this.keep(bytes.subarray(0, passing));
        this.toSkip -= passing;
        bytes = bytes.subarray(passing);
        if (this.toSkip > 0) break;
        this.finishAttribute();
      }
      if (bytes.length < block) break;
      this.header(bytes.subarray(0, block));
      bytes = bytes.subarray(block);
    }
    this.rest = Uint8Array.from(bytes);
  }

  end(): void {
    if (this.toSkip > 0 || this.rest.length > 0) throw broken("it ends in the middle of a member");
    if (this.zeroBlocks === 0) throw broken("its end is missing");
  }

  private header(bytes: Uint8Array): void {
    if (bytes.every((byte) => byte === 0)) {
      this.zeroBlocks += 1;
      return;
    }
    if (this.zeroBlocks > 0) throw broken("something follows its end");
    const { name, kind, sizeBytes } = readHeader(bytes);
    this.toSkip = Math.ceil(sizeBytes / block) * block;
    if ("xgLK".includes(kind)) {
      if (sizeBytes > archiveLimits.attributeBytes) {
        throw rejected(name, "attributes", "has too many attributes");
      }
      this.attribute = sizeBytes > 0 ? { kind, sizeBytes, bytes: [] } : null;
      this.file = null;
      return;
    }
    const realName = this.longName ?? name;
    this.longName = null;
    const refused = refusedKinds[kind];
    // The name is judged first: it is what a reader looks for.
    this.members.add(realName, kind === "5");
    if (refused) throw rejected(realName, ...refused);
    if (!"07\u00005".includes(kind)) throw rejected(realName, "kind", "is of an unknown kind");
    this.meter.claim(sizeBytes);
    this.file = kind === "5" ? null : { name: realName, bytesLeft: sizeBytes };
  }

  private keep(bytes: Uint8Array): void {
    if (this.attribute) {
      this.attribute.bytes.push(...bytes);
    } else if (this.file) {
      const content = bytes.subarray(0, this.file.bytesLeft);
      this.file.bytesLeft -= content.length;
      this.keepFile?.(this.file.name, content);
    }
  }

  /** The end of a member that holds a name or attributes of the one that follows. */
  private finishAttribute(): void {
    if (!this.attribute) return;
    const { kind, sizeBytes, bytes } = this.attribute;
    this.attribute = null;
    const content = Uint8Array.from(bytes.slice(0, sizeBytes));
    if (kind === "L") this.longName = decoded(content).replace(/\0+$/, "");
    if (kind === "x" || kind === "g") this.pax(decoded(content), kind);
  }

  private pax(records: string, kind: string): void {
    for (const line of records.split("\n")) {
      const [, key = "", value = ""] = /^\d+ ([^=]+)=(.*)$/s.exec(line) ?? [];
      if (key.startsWith("GNU.sparse")) {
        throw rejected(value, "sparse", "is a sparse file, which is not accepted");
      }
      if (key === "path" && kind === "x") this.longName = value;
      // A size here would win over the header's; one that needs it is beyond our limits anyway.
      if (key === "size" || (kind === "g" && key === "path")) {
        throw rejected(value, "attributes", "overrides what its header says");
      }
    }
  }
}

function readHeader(bytes: Uint8Array): Header {
  const sum = bytes.reduce(
    (total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte),
    0,
  );
  if (sum !== octal(bytes.subarray(148, 156))) throw broken("a header has a wrong checksum");
  const isUstar = decoded(bytes.subarray(257, 262)) === "ustar";
  const name = field(bytes.subarray(0, 100));
  const prefix = isUstar && bytes[263] === 0x30 ? field(bytes.subarray(345, 500)) : "";
  const kind = String.fromCharCode(bytes[156] ?? 0);
  const sizeBytes = sizeOf(bytes.subarray(124, 136));
  const fullName = prefix === "" ? name : `${prefix}/${name}`;
  const isFolder = kind === "5" || fullName.endsWith("/");
  return { name: fullName, kind: isFolder && kind !== "5" ? "5" : kind, sizeBytes };
}

function field(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decoded(end < 0 ? bytes : bytes.subarray(0, end));
}

/** @throws {AppError} `ARCHIVE_INVALID` for bytes that are no UTF-8. */
function decoded(bytes: Uint8Array): string {
  try {
    return text.decode(bytes);
  } catch {
    throw broken("a name is not UTF-8");
  }
}

function octal(bytes: Uint8Array): number {
  const digits = Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\0 ]+$/g, "")
    .trim();
  return /^[0-7]{1,12}$/.test(digits) ? Number.parseInt(digits, 8) : digits === "" ? 0 : NaN;
}

/** Octal digits, or big-endian bytes if the first bit is set. */
function sizeOf(bytes: Uint8Array): number {
  const isBinary = ((bytes[0] ?? 0) & 0x80) !== 0;
  const size = isBinary
    ? bytes.reduce((value, byte, index) => value * 256 + (index === 0 ? byte & 0x7f : byte), 0)
    : octal(bytes);
  if (!Number.isSafeInteger(size)) throw broken("a header has an impossible size");
  return size;
}
