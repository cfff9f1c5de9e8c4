import { deleteOrphan, letGo, type ObjectPlace } from "@/domain/artifacts";
import { type Deleted, idPrefixes, type Scope } from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { type Tx, toId, withTransaction } from "@/lib/server/db";
import { type ObjectStore, parseStoreUrl, uploadsBucket } from "@/lib/server/storage";
import { lockModel, modelUuid, tellModel } from "./commands";

/**
 * Deletes one version of a model; the one that was met before it is the newest then. Bytes that were sent go with it, after the
 * row, unless something else needs them. Builds and what they made stay.
 *
 * @throws {AppError} `MODEL_ROW_UNKNOWN`; `MODEL_IN_USE` while a build or an endpoint may need the bytes that were sent.
 */
export async function deleteModel(scope: Scope, id: string, store: ObjectStore): Promise<Deleted> {
  const sent = await withTransaction((tx) => deleteRow(tx, scope, modelUuid(id)));
  // What fails here is no loss: the hold that was let go tells the next sweep where to look.
  const isFreed = sent !== null && (await deleteOrphan(store, sent));
  return { id, freedBytes: isFreed ? sent.sizeBytes : 0 };
}

interface SentBytes extends ObjectPlace {
  readonly sizeBytes: number;
}

/** Answers where the bytes lie that were sent for it; null: they were not. */
async function deleteRow(tx: Tx, scope: Scope, id: string): Promise<SentBytes | null> {
  const where = { id, projectId: scope };
  const row = await tx.model.findFirst({ where });
  if (!row) throw notFound("model", toId(idPrefixes.model, id));
  await lockModel(tx, scope, row.digest);
  await lockModel(tx, scope, row.source);
  const place = parseStoreUrl(row.url, scope);
  const own = place?.bucket === uploadsBucket(scope) ? place : null;
  if (own) await requireUnused(tx, scope, row.url);
  const { count } = await tx.model.deleteMany({ where });
  if (count === 0) throw notFound("model", toId(idPrefixes.model, id));
  await tx.$executeRaw`
      UPDATE model SET newest = true WHERE id = (
        SELECT id FROM model WHERE project_id = ${scope}::uuid AND source = ${row.source}
        ORDER BY newest DESC, seen_at DESC, id DESC LIMIT 1)`;
  if (own) await letGo(tx, own);
  await tellModel(tx, scope, row.id);
  return own && { ...own, sizeBytes: Number(row.sizeBytes ?? 0) };
}

async function requireUnused(tx: Tx, scope: Scope, url: string): Promise<void> {
  const [build] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM build WHERE project_id = ${scope}::uuid AND model_url = ${url} AND ended_at IS NULL LIMIT 1`;
  const endpoints = await tx.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT e.name FROM revision r JOIN endpoint e ON e.id = r.endpoint_id
    WHERE r.project_id = ${scope}::uuid AND r.model_url = ${url} AND e.deleted_at IS NULL ORDER BY 1`;
  if (!build && endpoints.length === 0) return;
  const names = endpoints.map(({ name }) => name);
  throw fail(
    "MODEL_IN_USE",
    build
      ? `Build ${toId(idPrefixes.build, build.id)} is reading it.`
      : `Endpoint ${names[0]} was made of it, and its build may have to be repeated.`,
    {
      hint: "Delete the endpoints that were made of it first, or archive the model.",
      details: { by: build ? [toId(idPrefixes.build, build.id)] : names },
    },
  );
}
