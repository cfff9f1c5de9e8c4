import type { Readable } from "node:stream";
import type { Digest } from "@/lib/common/contract";

/** What is known of bytes before they are stored. */
export interface PutOptions {
  readonly sizeBytes: number;
  /** Only if nothing is there; what is there already then must be the same bytes. */
  readonly ifNoneMatch?: "*";
  /** What the bytes must hash to; others are never stored. */
  readonly digest?: Digest;
}

/** An object as a listing of its bucket shows it. */
export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** A part of an object, in bytes from its beginning. */
export interface ByteRange {
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Bytes by bucket and key. Keys are plain relative paths; ours are digests. */
export interface ObjectStore {
  ensureBucket(bucket: string): Promise<void>;
  /**
   * Stores the bytes whole or not at all.
   *
   * @throws {AppError} `STATE_CONFLICT` when other bytes are there already and `ifNoneMatch` was given;
   *   `ARTIFACT_MISMATCH` when size or digest are not those promised; `STORE_UNAVAILABLE` when the store is away.
   */
  put(
    bucket: string,
    key: string,
    body: Readable | Uint8Array,
    options: PutOptions,
  ): Promise<"stored" | "exists">;
  /**
   * @param range A part of the bytes; it lies within the object and is not empty.
   * @throws {AppError} `NOT_FOUND` when there is no such object.
   */
  get(
    bucket: string,
    key: string,
    range?: ByteRange,
  ): Promise<{ readonly stream: Readable; readonly sizeBytes: number }>;
  head(bucket: string, key: string): Promise<{ readonly sizeBytes: number } | null>;
  /** Deleting what is not there is no error. */
  delete(bucket: string, key: string): Promise<void>;
  /** Objects whose key begins with `prefix`, in order of key; none if there is no such bucket. */
  list(bucket: string, prefix?: string): AsyncIterable<StoredObject>;
}
