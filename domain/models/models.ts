import { recordEvent } from "@/domain/events";
import {
  type Digest,
  type Inspection,
  idPrefixes,
  type Model,
  modelSchema,
  type Scope,
} from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { isRecord } from "@/lib/common/records";
import {
  database,
  type ModelRow,
  type Page,
  type PageQuery,
  parseId,
  parsePage,
  type Tx,
  toId,
  toJson,
  toPage,
  uuidv7,
} from "@/lib/server/db";

/** A model whose bytes are stored and were inspected. */
export interface NewModel {
  readonly name: string;
  readonly url: string;
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly inspection: Inspection;
}

/** Keeps a model whose bytes are stored already. The same bytes stored again are the same model. */
export async function storeModel(tx: Tx, scope: Scope, model: NewModel): Promise<Model> {
  const before = await tx.model.findFirst({ where: { projectId: scope, digest: model.digest } });
  if (before) return toModel(before);
  const { inspection, ...rest } = model;
  const row = await tx.model.create({
    data: { id: uuidv7(), projectId: scope, ...rest, inspection: toJson(inspection) },
  });
  await recordEvent(tx, {
    projectId: scope,
    noun: "model",
    id: toId(idPrefixes.model, row.id),
  });
  return toModel(row);
}

/** Models of a project, newest first. */
export async function listModels(scope: Scope, query: PageQuery): Promise<Page<Model>> {
  const { after, take } = parsePage(query);
  const before = after && parseId(idPrefixes.model, toId(idPrefixes.model, after));
  const rows = await database().model.findMany({
    where: { projectId: scope, ...(before ? { id: { lt: before } } : {}) },
    orderBy: { id: "desc" },
    take,
  });
  return toPage(rows, take, { keyOf: ({ id }) => id, show: toModel });
}

/** @throws {AppError} `MODEL_ROW_UNKNOWN` */
export async function getModel(scope: Scope, id: string): Promise<Model> {
  const uuid = parseId(idPrefixes.model, id);
  const row = uuid && (await database().model.findFirst({ where: { id: uuid, projectId: scope } }));
  if (!row) throw fail("MODEL_ROW_UNKNOWN", "There is no such model.");
  return toModel(row);
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
