import type { SourceConnection, StoreConnection } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { buckets, isOwnBucket, parseStoreUrl } from "@/lib/server/storage";
import { isKey } from "./kinds/s3";

/** Where an `s3://` address leads. */
export interface StoredPlace {
  readonly bucket: string;
  readonly key: string;
  /** Whose bucket it is; null: the installation's own. */
  readonly connection: StoreConnection | null;
}

interface StoreAccess {
  /** Whose uploads may be read. */
  readonly projectId: string;
  readonly connections: readonly SourceConnection[];
  /** Where the person gave the address. */
  readonly field?: string;
}

/**
 * Judges an `s3://` address: samples, the project's own uploads, and buckets of connections are read, nothing else.
 *
 * @throws {AppError} `URL_NOT_ALLOWED`, saying which buckets are known.
 */
export function parseStoreAddress(
  text: string,
  { projectId, connections, field = "model.url" }: StoreAccess,
): StoredPlace {
  const own = parseStoreUrl(text, projectId);
  if (own) return { ...own, connection: null };
  const refuse = (message: string): AppError =>
    fail("URL_NOT_ALLOWED", message, { field, hint: knownBuckets(connections) });

  const [, bucket = "", key = ""] = text.match(/^s3:\/\/([a-z0-9.-]+)\/(.+)$/) ?? [];
  if (bucket === "" || !isKey(key)) {
    throw refuse(
      "This is no address of an object: one is s3://bucket/folder/model.onnx, its key in letters, digits and common signs.",
    );
  }
  if (isOwnBucket(bucket)) {
    throw refuse("This bucket is Boardwalk's own, and models are not read from it.");
  }
  const connection = connections.find(
    (each): each is StoreConnection => each.kind === "s3" && each.buckets.includes(bucket),
  );
  if (!connection) throw refuse(`No connection reads the bucket "${bucket}".`);
  return { bucket, key, connection };
}

function knownBuckets(connections: readonly SourceConnection[]): string {
  const theirs = connections.flatMap((each) => (each.kind === "s3" ? each.buckets : []));
  const all = [buckets.samples, ...theirs].map((bucket) => `s3://${bucket}/…`).join(", ");
  return `Models are read from ${all}. Upload the file, or have an admin of the project add the bucket under Settings, Connections.`;
}
