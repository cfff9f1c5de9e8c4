import { type ArtifactFile, toDigest } from "@/lib/common/contract";
import { database, type Tx } from "@/lib/server/db";
import { hexOf } from "@/lib/server/digest";
import { buckets, type ObjectStore, verifyObject } from "@/lib/server/storage";

/** The first of an artifact's files whose bytes in the store are not those that its manifest names; null: all are. */
export async function findDamage(
  store: ObjectStore,
  files: readonly ArtifactFile[],
): Promise<ArtifactFile | null> {
  for (const file of files) {
    const { digest, sizeBytes } = file;
    const at = { bucket: buckets.artifacts, key: hexOf(digest) };
    if (!(await verifyObject(store, at, { digest: toDigest(digest), sizeBytes }))) return file;
  }
  return null;
}

/** Notes that somebody got other bytes than the manifest names. Whoever would reuse the artifact looks for itself. */
export async function markDamaged(
  digest: string,
  db: Pick<Tx, "$executeRaw"> = database(),
): Promise<void> {
  await db.$executeRaw`UPDATE artifact SET damaged_at = now() WHERE digest = ${digest} AND damaged_at IS NULL`;
}

/** Every byte of it was found right, unless a newer artifact of its plan has taken its place. */
export async function markSound(
  digest: string,
  db: Pick<Tx, "$executeRaw"> = database(),
): Promise<void> {
  await db.$executeRaw`
    UPDATE artifact a SET damaged_at = NULL, repair_asked_at = NULL
    WHERE a.digest = ${digest} AND a.damaged_at IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM artifact o WHERE o.plan_digest = a.plan_digest AND o.damaged_at IS NULL)`;
}
