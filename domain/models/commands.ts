import { recordEvent } from "@/domain/events";
import { requireStorageRoom } from "@/domain/quotas";
import {
  type Digest,
  type Inspection,
  idPrefixes,
  type LookedAgain,
  type Model,
  modelSchema,
  type Scope,
} from "@/lib/common/contract";
import { type ErrorData, notFound } from "@/lib/common/errors";
import { isRecord } from "@/lib/common/records";
import { cutText, modelTitle, showText } from "@/lib/common/text";
import {
  type ModelRow,
  parseId,
  type Tx,
  toId,
  toJson,
  uuidv7,
  withTransaction,
} from "@/lib/server/db";
import { parseStoreUrl, uploadsBucket } from "@/lib/server/storage";

/** A model whose bytes are stored and were inspected. */
export interface NewModel {
  readonly name: string;
  readonly url: string;
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly inspection: Inspection;
}

/**
 * Keeps a model whose bytes are stored already. The same bytes stored again are the same model.
 *
 * @throws {AppError} `QUOTA_EXCEEDED`
 */
export async function storeModel(tx: Tx, scope: Scope, model: NewModel): Promise<Model> {
  const { inspection, ...rest } = model;
  const source = `file:${model.name}`;
  await lockModel(tx, scope, model.digest);
  const before = await tx.model.findFirst({
    where: { projectId: scope, digest: model.digest, source: { startsWith: "file:" } },
  });
  if (before) {
    // It may have been stored before more of a model was told, or put away.
    const data = { inspection: toJson(inspection), archivedAt: null };
    return toModel(await tx.model.update({ where: { id: before.id }, data }));
  }
  await requireStorageRoom(tx, scope, model.sizeBytes);
  await beNewest(tx, scope, source);
  const row = await tx.model.create({
    data: { id: uuidv7(), projectId: scope, ...rest, source, inspection: toJson(inspection) },
  });
  await tellModel(tx, scope, row.id);
  return toModel(row);
}

/** What was met at a model's address: bytes, and what is in them or why that cannot be told. */
export interface MetModel {
  readonly url: string;
  readonly digest: string;
  readonly sizeBytes: number | null;
  readonly inspection: Inspection | null;
  readonly problem: ErrorData | null;
}

/**
 * Notes a version of a model that somebody read: the newest of its address from then on. Of an upload, what is known of it is
 * renewed; one whose row was deleted stays deleted.
 *
 * @returns Its shown id; null for an upload that has no row.
 */
export async function noteModel(projectId: string, met: MetModel): Promise<string | null> {
  const { url, digest, sizeBytes, inspection, problem } = met;
  const found = inspection && JSON.stringify(inspection);
  const why = problem && JSON.stringify(problem);
  return await withTransaction(async (tx) => {
    await lockModel(tx, projectId, url);
    const isUpload = parseStoreUrl(url, projectId)?.bucket === uploadsBucket(projectId);
    if (!isUpload) await beNewest(tx, projectId, url);
    const rows = isUpload
      ? await tx.$queryRaw<{ id: string }[]>`
          UPDATE model SET inspection = coalesce(${found}::jsonb, inspection), problem = ${why}::jsonb, seen_at = now()
          WHERE project_id = ${projectId}::uuid AND url = ${url} AND digest = ${digest} RETURNING id`
      : await tx.$queryRaw<{ id: string }[]>`
          INSERT INTO model (id, project_id, name, url, source, digest, size_bytes, inspection, problem)
          VALUES (${uuidv7()}::uuid, ${projectId}::uuid, ${nameOf(url)}, ${url}, ${url}, ${digest}, ${sizeBytes},
            ${found}::jsonb, ${why}::jsonb)
          ON CONFLICT (project_id, md5(source), digest) DO UPDATE SET
            newest = true, seen_at = now(), size_bytes = coalesce(excluded.size_bytes, model.size_bytes),
            inspection = coalesce(excluded.inspection, model.inspection), problem = excluded.problem
          RETURNING id`;
    const [row] = rows;
    if (!row) return null;
    await tellModel(tx, projectId, row.id);
    return toId(idPrefixes.model, row.id);
  });
}

const nameOf = (url: string): string => cutText(showText(modelTitle(url)), 200) || "model";

/** Notes what the source of a model gave when it was looked at again. */
export async function noteLook(scope: Scope, id: string, looked: LookedAgain): Promise<void> {
  await withTransaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE model SET looked = ${JSON.stringify(looked)}::jsonb
      WHERE id = ${modelUuid(id)}::uuid AND project_id = ${scope}::uuid`;
    await tellModel(tx, scope, modelUuid(id));
  });
}

/** Puts all versions of a model out of lists, or back. @throws {AppError} `MODEL_ROW_UNKNOWN` */
export async function archiveModel(scope: Scope, id: string, archived: boolean): Promise<void> {
  await withTransaction(async (tx) => {
    const changed = await tx.$executeRaw`
      UPDATE model m SET archived_at = CASE WHEN ${archived} THEN coalesce(m.archived_at, now()) END
      FROM model o WHERE o.id = ${modelUuid(id)}::uuid AND o.project_id = ${scope}::uuid
        AND m.project_id = o.project_id AND m.source = o.source`;
    if (changed === 0) throw notFound("model", id);
    await tellModel(tx, scope, modelUuid(id));
  });
}

/** Whoever stores, notes or deletes versions of a model does so alone. */
export async function lockModel(tx: Tx, projectId: string, what: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`model ${projectId} ${what}`}, 0))`;
}

/** Room for a newer version of a source. */
async function beNewest(tx: Tx, projectId: string, source: string): Promise<void> {
  await lockModel(tx, projectId, source);
  await tx.$executeRaw`
    UPDATE model SET newest = false WHERE project_id = ${projectId}::uuid AND source = ${source} AND newest`;
}

/** Tells pages of a model that changed. */
export const tellModel = (tx: Tx, projectId: string, id: string): Promise<void> =>
  recordEvent(tx, { projectId, noun: "model", id: toId(idPrefixes.model, id) });

/** The key of a model from the id that the API shows. @throws {AppError} `MODEL_ROW_UNKNOWN` */
export function modelUuid(id: string): string {
  const uuid = parseId(idPrefixes.model, id);
  if (!uuid) throw notFound("model", id);
  return uuid;
}

function toModel(row: ModelRow): Model {
  return modelSchema.parse({
    ...(isRecord(row.inspection) ? row.inspection : {}),
    id: toId(idPrefixes.model, row.id),
    url: row.url,
    name: row.name,
    digest: row.digest,
    sizeBytes: Number(row.sizeBytes),
    createdAt: row.createdAt.toISOString(),
  });
}
