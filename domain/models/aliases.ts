import type { Scope } from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { type Tx, withTransaction } from "@/lib/server/db";
import { lockModel, modelUuid, tellModel } from "./commands";

/** Of one source: more nobody tells apart. */
const mostAliases = 20;

/**
 * Gives a version of a model a name that no other version of its source has from then on.
 *
 * @throws {AppError} `MODEL_ROW_UNKNOWN`, `QUOTA_EXCEEDED`
 */
export async function setAlias(scope: Scope, id: string, name: string): Promise<void> {
  await withTransaction(async (tx) => {
    const { source } = await lockVersion(tx, scope, id);
    const [before] = await tx.modelAlias.findMany({ where: { projectId: scope, source, name } });
    if (before?.modelId === modelUuid(id)) return;
    if (before) {
      await tx.modelAlias.deleteMany({ where: { projectId: scope, source, name } });
      await tellModel(tx, scope, before.modelId);
    } else await requireRoom(tx, scope, source);
    await tx.modelAlias.create({
      data: { projectId: scope, source, name, modelId: modelUuid(id) },
    });
    await tellModel(tx, scope, modelUuid(id));
  });
}

/** Takes a name from the version that carries it. @throws {AppError} `MODEL_ROW_UNKNOWN`; `NOT_FOUND` where it has no such name. */
export async function removeAlias(scope: Scope, id: string, name: string): Promise<void> {
  await withTransaction(async (tx) => {
    await lockVersion(tx, scope, id);
    const where = { projectId: scope, modelId: modelUuid(id), name };
    const { count } = await tx.modelAlias.deleteMany({ where });
    if (count === 0) throw notFound("alias", name);
    await tellModel(tx, scope, modelUuid(id));
  });
}

/** Whoever changes the names of a source does so alone; the version stays until they are done. */
async function lockVersion(tx: Tx, scope: Scope, id: string): Promise<{ readonly source: string }> {
  const row = await tx.model.findFirst({
    where: { id: modelUuid(id), projectId: scope },
    select: { source: true },
  });
  if (!row) throw notFound("model", id);
  await lockModel(tx, scope, row.source);
  // It may have been deleted while we waited.
  if ((await tx.model.count({ where: { id: modelUuid(id) } })) === 0) throw notFound("model", id);
  return row;
}

async function requireRoom(tx: Tx, scope: Scope, source: string): Promise<void> {
  if ((await tx.modelAlias.count({ where: { projectId: scope, source } })) < mostAliases) return;
  throw fail("QUOTA_EXCEEDED", `This model has ${mostAliases} aliases already.`, {
    hint: "Remove one that nobody uses any more.",
  });
}
