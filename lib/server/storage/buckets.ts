/** Buckets of the installation. Only `samples` and a project's own uploads are readable by `s3://` URLs of users. */
export const buckets = {
  samples: "boardwalk-samples",
  /** Keys: sha256 in hex. */
  artifacts: "artifacts",
  /** Keys: `<build>/<epoch>/<sha256>`. */
  attempts: "attempts",
  /** Whole logs of ended attempts. */
  logs: "logs",
} as const;

/** Where a project's own models lie, by sha256 in hex. */
export function uploadsBucket(projectId: string): string {
  return `uploads-${projectId}`;
}

/** Whether a bucket is one of the installation's, readable or not: no other store may stand in for it. */
export function isOwnBucket(bucket: string): boolean {
  const own: readonly string[] = Object.values(buckets);
  return own.includes(bucket) || bucket.startsWith(uploadsBucket(""));
}

/** An `s3://` URL of this installation's store, or null if it names a bucket that the project must not read. */
export function parseStoreUrl(
  url: string,
  projectId: string,
): { readonly bucket: string; readonly key: string } | null {
  const [, bucket = "", key = ""] = url.match(/^s3:\/\/([a-z0-9.-]+)\/(.+)$/) ?? [];
  const readable = bucket === buckets.samples || bucket === uploadsBucket(projectId);
  return readable && isPlainKey(key) ? { bucket, key } : null;
}

/** Relative, no empty, `.` or `..` parts, characters that every file system and URL can hold. */
export function isPlainKey(key: string): boolean {
  return (
    key.length <= 1024 &&
    /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/.test(key) &&
    !key.split("/").some((part) => /^\.+$/.test(part))
  );
}
