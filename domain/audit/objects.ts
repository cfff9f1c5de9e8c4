import { isNamed } from "@/domain/artifacts";
import { toDigest } from "@/lib/common/contract";
import { database, sql } from "@/lib/server/db";
import {
  buckets,
  type ObjectStore,
  type StoredObject,
  uploadsBucket,
  verifyObject,
} from "@/lib/server/storage";
import { eachOf } from "./each-of";
import { type Finding, RuleCount } from "./types";

/** An object that a row names. */
interface Named {
  readonly bucket: string;
  readonly key: string;
  readonly digest: string;
  /** Null where no row says it. */
  readonly sizeBytes: bigint | null;
}

/** Objects that are read at a time. */
const atOnce = 8;

/** Reads every object that a row names and hashes it (R6), and looks for objects that no row has named for long. */
export async function auditObjects(store: ObjectStore): Promise<Finding[]> {
  const sound = new RuleCount({
    invariant: "R6",
    says: "an object that a row names is in the store, with its size and digest",
  });
  const named = await listNamed();
  await eachOf(named, atOnce, async (each) => {
    const fault = await faultOf(store, each);
    // Its row may have gone while it was read.
    if (fault === null || (await isStillNamed(each))) sound.note(placeOf(each), fault);
  });
  const kept = new RuleCount({
    invariant: "R6",
    says: "an object that no row names is gone after a day",
  });
  const places = new Set(named.map(placeOf));
  for (const bucket of await listBuckets()) {
    const unnamed: StoredObject[] = [];
    for await (const object of store.list(bucket))
      if (!places.has(placeOf({ bucket, ...object }))) unnamed.push(object);
    for (const { key, fault } of await judgeUnnamed(bucket, unnamed))
      kept.note(placeOf({ bucket, key }), fault);
  }
  return [sound.finding, kept.finding];
}

const placeOf = ({ bucket, key }: Pick<Named, "bucket" | "key">): string => `${bucket}/${key}`;

async function faultOf(store: ObjectStore, named: Named): Promise<string | null> {
  const head = await store.head(named.bucket, named.key);
  if (!head) return "it is not in the store";
  const { sizeBytes } = head;
  if (named.sizeBytes !== null && BigInt(sizeBytes) !== named.sizeBytes)
    return `it has ${sizeBytes} bytes, not ${named.sizeBytes}`;
  const isSound = await verifyObject(store, named, { digest: toDigest(named.digest), sizeBytes });
  return isSound ? null : "its bytes have another digest";
}

/** Files of sound artifacts, models that were sent, logs that were moved. Known damage is known. */
async function listNamed(): Promise<readonly Named[]> {
  return await database().$queryRaw<Named[]>`
    SELECT DISTINCT ${buckets.artifacts}::text AS bucket, substr(file ->> 'digest', 8) AS key, file ->> 'digest' AS digest,
      (file ->> 'sizeBytes')::bigint AS "sizeBytes"
    FROM artifact a CROSS JOIN LATERAL jsonb_array_elements(a.manifest -> 'files') file WHERE a.damaged_at IS NULL
    UNION ALL
    SELECT DISTINCT split_part(url, '/', 3), split_part(url, '/', 4), digest, size_bytes
    FROM model WHERE starts_with(url, 's3://uploads-')
    UNION ALL
    SELECT ${buckets.logs}::text, log_object, 'sha256:' || log_sha256, (
      SELECT max((block ->> 'offset')::bigint + (block ->> 'bytes')::bigint) FROM jsonb_array_elements(log_index) block)
    FROM attempt WHERE log_object IS NOT NULL`;
}

async function isStillNamed({ bucket, key }: Named): Promise<boolean> {
  return (await listNamed()).some((named) => named.bucket === bucket && named.key === key);
}

async function listBuckets(): Promise<readonly string[]> {
  const projects = await database().project.findMany({ select: { id: true } });
  const uploads = projects.map(({ id }) => uploadsBucket(id));
  return [buckets.artifacts, buckets.attempts, buckets.logs, ...uploads];
}

/** Of objects that were not named a moment ago; those that are held, or young, may be on their way to a row. */
async function judgeUnnamed(bucket: string, objects: readonly StoredObject[]) {
  const keys = objects.map(({ key }) => key);
  const times = objects.map(({ modifiedAt }) => modifiedAt.toISOString());
  return await database().$queryRaw<{ key: string; fault: string | null }[]>`
    SELECT o.key, CASE WHEN o.at < now() - interval '1 day' AND NOT EXISTS (
        SELECT 1 FROM object_hold h WHERE h.bucket = ${bucket} AND h.key = o.key AND h.until > now() - interval '2 hours')
      THEN 'nothing names it, and it was stored at ' || o.at END AS fault
    FROM unnest(${keys}::text[], ${times}::timestamptz[]) o(key, at)
    WHERE NOT ${isNamed(sql`${bucket}::text`, sql`o.key`)}
      AND NOT (${bucket}::text = ${buckets.logs} AND EXISTS (SELECT 1 FROM attempt t WHERE t.log_object = o.key))`;
}
