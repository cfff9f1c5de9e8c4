import type { Scope, StorageUse } from "@/lib/common/contract";
import { database, type Sql, sql } from "@/lib/server/db";
import { uploadsBucket } from "@/lib/server/storage";

const largestShown = 10;

interface Counted {
  bytes: bigint;
  objects: number;
}

/** Needed by an endpoint that is not gone: it answers from it, loads it, or can be rolled back to it. */
const isNeeded = (digest: Sql): Sql => sql`EXISTS (
  SELECT 1 FROM revision r JOIN endpoint e ON e.id = r.endpoint_id
  WHERE r.artifact_digest = ${digest} AND e.deleted_at IS NULL AND NOT (r.state = 'failed' AND r.served_at IS NULL))`;

/** What a project's artifacts, models and logs take in the stores, as the database counts it; files that several share count once. */
export async function getStorageUse(scope: Scope): Promise<StorageUse> {
  const db = database();
  const ours = sql`EXISTS (
    SELECT 1 FROM artifact_reference f WHERE f.artifact_digest = a.digest AND f.project_id = ${scope}::uuid)`;
  const sent = `s3://${uploadsBucket(scope)}/%`;
  const one = async (query: Promise<Counted[]>) => {
    const [row] = await query;
    return { bytes: Number(row?.bytes ?? 0), objects: row?.objects ?? 0 };
  };
  const [artifacts, models, logs, rows, largest, unused, archived] = await Promise.all([
    one(db.$queryRaw`
      SELECT coalesce(sum(bytes), 0)::bigint AS bytes, count(*)::int AS objects FROM (
        SELECT DISTINCT file ->> 'digest' AS digest, (file ->> 'sizeBytes')::bigint AS bytes
        FROM artifact a, jsonb_array_elements(a.manifest -> 'files') file WHERE ${ours}) each`),
    one(db.$queryRaw`
      SELECT coalesce(sum(size_bytes), 0)::bigint AS bytes, count(*)::int AS objects FROM model
      WHERE project_id = ${scope}::uuid AND url LIKE ${sent}`),
    one(db.$queryRaw`
      SELECT coalesce(sum(t.log_bytes), 0)::bigint AS bytes, count(*)::int AS objects
      FROM attempt t JOIN build b ON b.id = t.build_id WHERE b.project_id = ${scope}::uuid`),
    one(db.$queryRaw`
      SELECT pg_database_size(current_database()) AS bytes, count(*)::int AS objects
      FROM information_schema.tables WHERE table_schema = 'public'`),
    db.$queryRaw<(Omit<StorageUse["largest"][number], "sizeBytes"> & { sizeBytes: bigint })[]>`
      SELECT a.digest, coalesce((
          SELECT m.model_url FROM artifact_reference f JOIN build m ON m.id = f.build_id
          WHERE f.artifact_digest = a.digest AND f.project_id = ${scope}::uuid ORDER BY m.id LIMIT 1), '') AS "modelUrl",
        a.board_model AS "boardModel", a.size_bytes AS "sizeBytes", (
          SELECT count(DISTINCT e.id)::int FROM revision r JOIN endpoint e ON e.id = r.endpoint_id
          WHERE r.artifact_digest = a.digest AND r.project_id = ${scope}::uuid AND e.deleted_at IS NULL) AS "usedBy"
      FROM artifact a WHERE ${ours} ORDER BY a.size_bytes DESC, a.digest LIMIT ${largestShown}`,
    one(db.$queryRaw`
      SELECT coalesce(sum(a.size_bytes), 0)::bigint AS bytes, count(*)::int AS objects
      FROM artifact a WHERE ${ours} AND NOT ${isNeeded(sql`a.digest`)}`),
    one(db.$queryRaw`
      SELECT coalesce(sum(size_bytes), 0)::bigint AS bytes, count(*)::int AS objects FROM model
      WHERE project_id = ${scope}::uuid AND archived_at IS NOT NULL AND url LIKE ${sent}`),
  ]);
  return {
    kinds: [
      { kind: "artifacts", ...artifacts },
      { kind: "models", ...models },
      { kind: "logs", ...logs },
      { kind: "database", ...rows },
    ],
    largest: largest.map(({ sizeBytes, ...row }) => ({ ...row, sizeBytes: Number(sizeBytes) })),
    unused: { artifacts: unused.objects, bytes: unused.bytes },
    archivedModels: { models: archived.objects, bytes: archived.bytes },
  };
}
