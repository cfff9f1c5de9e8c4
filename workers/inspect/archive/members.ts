import { archiveLimits } from "./limits";
import { rejected, tooMuch } from "./rejected";

/** Takes the content of a file as it is expanded, piece by piece. A piece is only good until the call returns. */
export type Keep = (name: string, piece: Uint8Array) => void;

const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** The rule that a name breaks, with its words; null for a plain relative name. */
function nameFault(name: string): readonly [rule: string, what: string] | null {
  if (/^([/\\]|[A-Za-z]:)/.test(name)) return ["absolute", "has an absolute name"];
  const parts = name.replace(/\/$/, "").split("/");
  if (parts.includes("..")) return ["parent", "leaves the archive's folder"];
  if (/[\p{Cc}\\\uFFFD]/u.test(name)) return ["characters", "has a name with forbidden characters"];
  if (parts.some((part) => part === "")) return ["empty-part", "has an empty part in its name"];
  if (parts.some((part) => part === ".")) return ["dot-part", "has a part `.` in its name"];
  if (parts.some((part) => /[. ]$/.test(part))) return ["ending", "ends in a dot or space"];
  if (parts.some((part) => deviceName.test(part))) return ["device-name", "is named as a device"];
  const bytes = (text: string) => Buffer.byteLength(text);
  if (bytes(name) > archiveLimits.nameBytes) return ["long-name", "has too long a name"];
  if (parts.some((part) => bytes(part) > archiveLimits.partBytes)) {
    return ["long-name", "has too long a name"];
  }
  if (parts.length > archiveLimits.depth) return ["depth", "lies too deep"];
  return null;
}

/** Judges the members of one archive in their order, and keeps their names. */
export class Members {
  readonly names: string[] = [];
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  /** @throws {AppError} `ARCHIVE_REJECTED` naming the member and the rule. */
  add(name: string, isFolder: boolean): void {
    if (this.names.length >= archiveLimits.members) {
      throw tooMuch(
        "members",
        `The archive holds more than ${archiveLimits.members.toLocaleString("en")} files.`,
      );
    }
    const fault = nameFault(name);
    if (fault) throw rejected(name, ...fault);
    this.names.push(name);

    const key = name.replace(/\/$/, "").normalize("NFC").toLowerCase();
    const parts = key.split("/");
    const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
    const clash = this.files.has(key) || (!isFolder && this.folders.has(key));
    if (clash || above.some((folder) => this.files.has(folder))) {
      throw rejected(name, "duplicate", "is there twice");
    }
    for (const folder of isFolder ? [...above, key] : above) this.folders.add(folder);
    if (!isFolder) this.files.add(key);
  }
}

/** Counts expanded bytes as they come. Headers are not believed, but what they claim must fit as well. */
export class ExpansionMeter {
  private expanded = 0;
  private readonly limit: number;

  constructor(compressedBytes: number) {
    const byRatio = Math.max(archiveLimits.ratioFloorBytes, compressedBytes * archiveLimits.ratio);
    this.limit = Math.min(archiveLimits.expandedBytes, byRatio);
  }

  count(bytes: number): void {
    this.expanded += bytes;
    if (this.expanded > this.limit) throw this.excess();
  }

  claim(bytes: number): void {
    if (this.expanded + bytes > this.limit) throw this.excess();
  }

  private excess() {
    const limit =
      this.limit === archiveLimits.expandedBytes
        ? `${archiveLimits.expandedBytes / 1024 ** 3} GiB`
        : `${archiveLimits.ratio} times its size`;
    return tooMuch("expansion", `The archive expands beyond the limit of ${limit}.`);
  }
}
