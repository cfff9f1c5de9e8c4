import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** A first-in, first-out list of records that lies in a file, for what the store cannot take now. */
export class Spill<T> {
  private file: FileHandle | null = null;
  private readAt = 0;
  private writeAt = 0;
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get isEmpty(): boolean {
    return this.readAt === this.writeAt;
  }

  get sizeBytes(): number {
    return this.writeAt - this.readAt;
  }

  async push(records: readonly T[]): Promise<void> {
    const { O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
    this.file ??= await open(this.path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
    const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    await this.file.write(bytes, 0, bytes.length, this.writeAt);
    this.writeAt += bytes.length;
  }

  /** The oldest records, about `bytes` of them; they stay until `drop`. */
  async peek(bytes: number): Promise<{ records: T[]; drop: () => void }> {
    if (!this.file || this.isEmpty) return { records: [], drop: () => {} };
    let size = bytes;
    for (;;) {
      const buffer = Buffer.alloc(Math.min(size, this.writeAt - this.readAt));
      const { bytesRead } = await this.file.read(buffer, 0, buffer.length, this.readAt);
      const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      if (end === 0 && bytesRead === size) {
        size *= 2;
        continue;
      }
      const records = buffer
        .subarray(0, end)
        .toString()
        .split("\n")
        .filter((text) => text !== "")
        .map((text) => JSON.parse(text) as T);
      return { records, drop: () => void (this.readAt += end) };
    }
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = null;
    this.readAt = this.writeAt;
  }
}
