import { Readable } from "node:stream";
import type { ByteRange, ObjectStore, PutOptions, StoredObject } from "@/lib/server/storage";

export type Lie = (bytes: Buffer) => Buffer;

/** One bit of the middle is another. */
export const flip: Lie = (bytes) => {
  const wrong = Buffer.from(bytes);
  const at = wrong.length >> 1;
  wrong[at] = (wrong[at] ?? 0) ^ 1;
  return wrong;
};
/** The last byte is missing. */
export const cut: Lie = (bytes) => bytes.subarray(0, -1);

/** A store that keeps or gives other bytes than it was given, for as long as a test wants, and says nothing of it. */
export class LyingStore implements ObjectStore {
  private readonly honest: ObjectStore;
  /** Asked for each whole object; null: the truth. */
  onPut: (bucket: string) => Lie | null = () => null;
  onGet: (bucket: string) => Lie | null = () => null;

  constructor(honest: ObjectStore) {
    this.honest = honest;
  }

  async put(bucket: string, key: string, body: Readable | Uint8Array, options: PutOptions) {
    const lie = this.onPut(bucket);
    if (!lie) return await this.honest.put(bucket, key, body, options);
    const bytes = lie(
      body instanceof Uint8Array ? Buffer.from(body) : Buffer.concat(await body.toArray()),
    );
    return await this.honest.put(bucket, key, bytes, { sizeBytes: bytes.length });
  }

  async get(bucket: string, key: string, range?: ByteRange) {
    const found = await this.honest.get(bucket, key, range);
    const lie = this.onGet(bucket);
    if (!lie) return found;
    const bytes = lie(Buffer.concat(await found.stream.toArray()));
    return { stream: Readable.from([bytes]), sizeBytes: bytes.length };
  }

  ensureBucket = (bucket: string) => this.honest.ensureBucket(bucket);
  head = (bucket: string, key: string) => this.honest.head(bucket, key);
  delete = (bucket: string, key: string) => this.honest.delete(bucket, key);
  list = (bucket: string, prefix?: string): AsyncIterable<StoredObject> =>
    this.honest.list(bucket, prefix);
}
