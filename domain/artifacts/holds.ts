import { database, type Sql, sql, type Tx, withTransaction } from "@/lib/server/db";
import type { ObjectStore } from "@/lib/server/storage";

/** Where an object lies in the store. */
export interface ObjectPlace {
  readonly bucket: string;
  readonly key: string;
}

/** A hold with the id by which it is given back. */
export interface Hold extends ObjectPlace {
  readonly id: bigint;
}

/** A day: longer than anything takes between storing an object and the row that names it. */
const orphanAfterS = 24 * 3600;

/**
 * Keeps an object from being deleted while somebody stores it and the row that will name it is not there yet.
 *
 * @param buildId Of the build that stores it: `releaseBuild` ends all its holds.
 */
export async function holdObject(
  at: ObjectPlace,
  {
    forS = orphanAfterS,
    buildId = null,
  }: { readonly forS?: number; readonly buildId?: string | null } = {},
): Promise<Hold> {
  return await withTransaction(async (tx) => {
    await lock(tx, at);
    const [row] = await tx.$queryRaw<{ id: bigint }[]>`
      INSERT INTO object_hold (bucket, key, until, build_id)
      VALUES (${at.bucket}, ${at.key}, now() + make_interval(secs => ${forS}::float8), ${buildId}::uuid) RETURNING id`;
    if (!row) throw new TypeError("the hold was not written");
    return { ...at, id: row.id };
  });
}

/** Ends the holds of a build, in the transaction that makes the row which names its objects from then on. */
export async function releaseBuild(tx: Tx, buildId: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM object_hold WHERE build_id = ${buildId}::uuid`;
}

/** Notes, in the transaction that deletes the row which named an object, that the object may go: a sweep finds it then. */
export async function letGo(tx: Tx, at: ObjectPlace): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO object_hold (bucket, key, until) VALUES (${at.bucket}, ${at.key}, now())`;
}

/** Objects of a kind of bucket whose holds are all over; what a row names may be among them. */
export async function listLetGo(bucketPrefix: string, limit: number): Promise<ObjectPlace[]> {
  return await database().$queryRaw<ObjectPlace[]>`
    SELECT bucket, key FROM object_hold WHERE starts_with(bucket, ${bucketPrefix})
    GROUP BY bucket, key HAVING max(until) < now() LIMIT ${limit}`;
}

/** Ends a hold; the object goes with it if nobody else holds it and no row names it. */
export async function releaseObject(store: ObjectStore, hold: Hold): Promise<void> {
  await withTransaction(async (tx) => {
    await lock(tx, hold);
    await tx.$executeRaw`DELETE FROM object_hold WHERE id = ${hold.id}`;
    if (!(await isNeeded(tx, hold))) await store.delete(hold.bucket, hold.key);
  });
}

/**
 * Of objects that no row names: those that nobody held for a day. One that is seen for the first time is held from now, by
 * the database's clock alone; what the store says of its age counts for nothing.
 */
export async function listExpired(bucket: string, keys: string[]): Promise<readonly string[]> {
  const db = database();
  await db.$executeRaw`
    INSERT INTO object_hold (bucket, key, until)
    SELECT ${bucket}, k, now() + make_interval(secs => ${orphanAfterS}::float8) FROM unnest(${keys}::text[]) k
    WHERE NOT EXISTS (SELECT 1 FROM object_hold h WHERE h.bucket = ${bucket} AND h.key = k)`;
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT key FROM object_hold WHERE bucket = ${bucket} AND key = ANY(${keys}::text[])
    GROUP BY key HAVING max(until) < now()`;
  return rows.map(({ key }) => key);
}

/** Deletes an object, unless it is held or named by now. Answers whether it did. */
export async function deleteOrphan(store: ObjectStore, at: ObjectPlace): Promise<boolean> {
  return await withTransaction(async (tx) => {
    await lock(tx, at);
    if (await isNeeded(tx, at)) return false;
    await store.delete(at.bucket, at.key);
    await tx.$executeRaw`DELETE FROM object_hold WHERE bucket = ${at.bucket} AND key = ${at.key}`;
    return true;
  });
}

/** Whoever stores an object and whoever deletes it go one after the other. */
async function lock(tx: Tx, { bucket, key }: ObjectPlace): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`object ${bucket}/${key}`}, 0))`;
}

async function isNeeded(tx: Tx, { bucket, key }: ObjectPlace): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ needed: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM object_hold WHERE bucket = ${bucket} AND key = ${key} AND until > now())
      OR ${isNamed(sql`${bucket}::text`, sql`${key}::text`)} AS needed`;
  return row?.needed ?? true;
}

/** Whether a row names the object of a bucket and a key. */
export const isNamed = (bucket: Sql, key: Sql): Sql => {
  const url = sql`'s3://' || ${bucket} || '/' || ${key}`;
  return sql`(
    EXISTS (SELECT 1 FROM model WHERE url = ${url})
    OR (starts_with(${bucket}, 'uploads-') AND (
      EXISTS (SELECT 1 FROM build WHERE model_url = ${url} AND ended_at IS NULL)
      OR EXISTS (
        SELECT 1 FROM revision r JOIN endpoint e ON e.id = r.endpoint_id
        WHERE r.model_url = ${url} AND e.deleted_at IS NULL)))
    OR EXISTS (
      SELECT 1 FROM artifact, jsonb_array_elements(manifest -> 'files') file
      WHERE file ->> 'digest' = 'sha256:' || ${key})
    OR EXISTS (SELECT 1 FROM build WHERE request -> 'calibration' ->> 'url' = ${url})
    OR EXISTS (SELECT 1 FROM inspection WHERE url = ${url} AND request ->> 'kind' = 'rows'))`;
};
