import {
  type BuildState,
  idPrefixes,
  inspectionSchema,
  type ModelDetail,
  type ModelState,
  modelDetailSchema,
  type Scope,
} from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { database, type Sql, sql, toId } from "@/lib/server/db";
import { parseStoreUrl } from "@/lib/server/storage";
import { modelUuid } from "./commands";

interface DetailRow {
  id: string;
  name: string;
  url: string;
  source: string;
  digest: string;
  sizeBytes: bigint | null;
  state: ModelState;
  newest: boolean;
  inspection: unknown;
  problem: unknown;
  looked: unknown;
  createdAt: Date;
  seenAt: Date;
  aliases: string[];
  archivedAt: Date | null;
}

interface VersionRow {
  id: string;
  digest: string;
  sizeBytes: bigint | null;
  state: ModelState;
  newest: boolean;
  createdAt: Date;
  seenAt: Date;
  builds: number;
  aliases: string[];
}

/** Builds of a version: those that read its bytes, and of the newest those that never got so far. */
export const buildsOf = (model: Sql): Sql => sql`
  b.project_id = ${model}.project_id
    AND (b.model_digest = ${model}.digest OR (b.model_digest IS NULL AND b.model_url = ${model}.url AND ${model}.newest))`;

/** The same of all rows of `models` at once, as `id` and `build_id`: joined by an index for each half, which an OR would forbid. */
export const buildsOfEach = (models: Sql): Sql => sql`
  SELECT m.id, b.id AS build_id FROM ${models} m JOIN build b ON b.project_id = m.project_id AND b.model_digest = m.digest
  UNION ALL
  SELECT m.id, b.id FROM ${models} m JOIN build b
    ON b.project_id = m.project_id AND b.model_digest IS NULL AND b.model_url = m.url WHERE m.newest`;

/** Names that a version carries. */
const aliasesOf = (model: Sql): Sql => sql`
  ARRAY(SELECT l.name FROM model_alias l WHERE l.model_id = ${model}.id ORDER BY 1)`;

/** Most versions that a page names. */
const mostVersions = 100;

/** A version of a model with what is in it, its other versions, and what was made of it. @throws {AppError} `MODEL_ROW_UNKNOWN` */
export async function getModelDetail(scope: Scope, id: string): Promise<ModelDetail> {
  const uuid = modelUuid(id);
  const db = database();
  const one = sql`FROM model m WHERE m.id = ${uuid}::uuid AND m.project_id = ${scope}::uuid`;
  const [[row], versions, endpoints, builds] = await Promise.all([
    db.$queryRaw<DetailRow[]>`
      SELECT m.id, m.name, m.url, m.source, m.digest, m.size_bytes AS "sizeBytes", m.state, m.newest, m.inspection,
        m.problem, m.looked, m.created_at AS "createdAt", m.seen_at AS "seenAt", m.archived_at AS "archivedAt",
        ${aliasesOf(sql`m`)} AS aliases ${one}`,
    db.$queryRaw<VersionRow[]>`
      SELECT v.id, v.digest, v.size_bytes AS "sizeBytes", v.state, v.newest, v.created_at AS "createdAt",
        v.seen_at AS "seenAt", ${aliasesOf(sql`v`)} AS aliases, (SELECT count(*)::int FROM build b WHERE ${buildsOf(sql`v`)}) AS builds
      FROM model v JOIN (SELECT m.project_id, m.source ${one}) w ON v.project_id = w.project_id AND v.source = w.source
      ORDER BY v.newest DESC, v.seen_at DESC, v.id DESC LIMIT ${mostVersions}`,
    db.$queryRaw<ModelDetail["endpoints"]>`
      SELECT DISTINCT ON (e.name) e.name, e.state, r.engine, r.board_model AS "boardModel", r.board_kind AS "boardKind"
      FROM (SELECT m.* ${one}) m JOIN build b ON ${buildsOf(sql`m`)}
      JOIN revision r ON r.build_id = b.id JOIN endpoint e ON e.id = r.endpoint_id
      WHERE e.deleted_at IS NULL ORDER BY e.name, r.ordinal DESC`,
    db.$queryRaw<{ state: BuildState; count: number }[]>`
      SELECT b.state, count(*)::int AS count FROM (SELECT m.* ${one}) m JOIN build b ON ${buildsOf(sql`m`)}
      GROUP BY b.state ORDER BY b.state`,
  ]);
  if (!row) throw notFound("model", id);
  return toDetail(scope, row, { versions: versions.map(toVersion), endpoints, builds });
}

function toDetail(
  scope: Scope,
  { inspection, source: _, ...row }: DetailRow,
  made: Pick<ModelDetail, "versions" | "endpoints" | "builds">,
): ModelDetail {
  const found = inspectionSchema.safeParse(inspection).data;
  return modelDetailSchema.parse({
    ...found,
    ...row,
    id: toId(idPrefixes.model, row.id),
    sizeBytes: row.sizeBytes === null ? (found?.sizeBytes ?? null) : Number(row.sizeBytes),
    stored: parseStoreUrl(row.url, scope) !== null,
    createdAt: row.createdAt.toISOString(),
    seenAt: row.seenAt.toISOString(),
    archivedAt: row.archivedAt?.toISOString() ?? null,
    ...made,
  });
}

const toVersion = ({ id, sizeBytes, createdAt, seenAt, ...row }: VersionRow) => ({
  ...row,
  id: toId(idPrefixes.model, id),
  sizeBytes: sizeBytes === null ? null : Number(sizeBytes),
  createdAt: createdAt.toISOString(),
  seenAt: seenAt.toISOString(),
});
