import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { fail, systemCodeOf } from "@/lib/common/errors";
import { tarEnd, tarHeader, tarPadding } from "@/lib/server/tar";
import type { MemberSum } from "./types";

/** Writes a tar to a file that its user alone can read, member by member, and keeps the sum of each. */
export class ArchiveWriter {
  readonly members: MemberSum[] = [];
  sizeBytes = 0;
  private readonly handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.handle = handle;
  }

  /** @throws {AppError} `BACKUP_TARGET_TAKEN` when there is a file of this name. */
  static async create(file: string): Promise<ArchiveWriter> {
    return new ArchiveWriter(await open(file, "wx", 0o600));
  }

  /**
   * @param body Must have exactly `sizeBytes` bytes.
   * @returns The SHA-256 of what was written, in hex.
   */
  async add(
    name: string,
    sizeBytes: number,
    body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<string> {
    const hash = createHash("sha256");
    await this.write(tarHeader(name, sizeBytes));
    let written = 0;
    for await (const piece of body) {
      written += piece.length;
      if (written > sizeBytes) break;
      hash.update(piece);
      await this.write(piece);
    }
    if (written !== sizeBytes) {
      throw fail(
        "STORE_UNAVAILABLE",
        `The bytes of ${name} ${written < sizeBytes ? "broke off" : "became more"} while they were read.`,
        { hint: "Try again; look at the store where it comes back." },
      );
    }
    await this.write(tarPadding(sizeBytes));
    const sha256 = hash.digest("hex");
    this.members.push({ name, sizeBytes, sha256 });
    return sha256;
  }

  async addJson(name: string, value: unknown): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(value));
    await this.add(name, bytes.length, [bytes]);
  }

  /** The end of the archive; then all of it is on the disk. */
  async finish(): Promise<void> {
    await this.write(tarEnd);
    await this.handle.sync();
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.handle.writeFile(bytes);
    } catch (cause) {
      if (!["ENOSPC", "EDQUOT"].includes(systemCodeOf(cause) ?? "")) throw cause;
      throw fail("NO_SPACE", "The disk is full where the backup is written.", {
        hint: "Free some space, or name a file on another disk.",
        cause,
      });
    }
    this.sizeBytes += bytes.length;
  }
}
