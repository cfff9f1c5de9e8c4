import { listObjectDigests } from "@/domain/artifacts";
import { hexOf } from "@/lib/server/digest";
import { buckets, type ObjectStore } from "@/lib/server/storage";

const dayMs = 24 * 3600 * 1000;

/**
 * Deletes objects older than a day that no row names: uploads of attempts that never ended well. Answers how many.
 */
export async function sweepObjects(
  store: ObjectStore,
  { olderThanMs = dayMs, now = Date.now() } = {},
): Promise<number> {
  const isOld = ({ modifiedAt }: { readonly modifiedAt: Date }) =>
    now - modifiedAt.getTime() > olderThanMs;
  const orphans: { bucket: string; key: string }[] = [];
  for await (const object of store.list(buckets.attempts)) {
    if (isOld(object)) orphans.push({ bucket: buckets.attempts, key: object.key });
  }
  const candidates: string[] = [];
  for await (const object of store.list(buckets.artifacts)) {
    if (isOld(object)) candidates.push(object.key);
  }
  // Read after listing: what was named meanwhile is kept.
  const named = new Set([...(await listObjectDigests())].map(hexOf));
  for (const key of candidates) {
    if (!named.has(key)) orphans.push({ bucket: buckets.artifacts, key });
  }
  for (const { bucket, key } of orphans) await store.delete(bucket, key);
  return orphans.length;
}
