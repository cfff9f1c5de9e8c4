import {
  idPrefixes,
  type NewRecipe,
  type Recipe,
  type RecipeChange,
  type Scope,
} from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { database, type Tx, toId, toJson, uuidv7, withTransaction } from "@/lib/server/db";
import { getRecipe, recipeUuid } from "./queries";

/** Of a project: more nobody finds again. */
const mostRecipes = 200;

/** Keeps choices under a name. @throws {AppError} `NAME_TAKEN`, `QUOTA_EXCEEDED` */
export async function addRecipe(scope: Scope, { name, content }: NewRecipe): Promise<Recipe> {
  const id = uuidv7();
  await withTransaction(async (tx) => {
    await requireRoom(tx, scope);
    const made = await tx.$executeRaw`
      INSERT INTO recipe (id, project_id, name, content)
      VALUES (${id}::uuid, ${scope}::uuid, ${name}, ${JSON.stringify(toJson(content))}::jsonb)
      ON CONFLICT (project_id, name) WHERE deleted_at IS NULL DO NOTHING`;
    if (made === 0) throw taken(name);
  });
  return await getRecipe(scope, toId(idPrefixes.recipe, id));
}

/** Gives a recipe another name, or puts other choices under its name. @throws {AppError} `NOT_FOUND`, `NAME_TAKEN` */
export async function changeRecipe(
  scope: Scope,
  id: string,
  { name, content }: RecipeChange,
): Promise<Recipe> {
  const uuid = recipeUuid(id);
  await withTransaction(async (tx) => {
    if (name !== undefined) await requireFree(tx, { scope, name, but: uuid });
    const json = content === undefined ? null : JSON.stringify(toJson(content));
    const count = await tx.$executeRaw`
      UPDATE recipe SET name = coalesce(${name ?? null}, name), content = coalesce(${json}::jsonb, content), updated_at = now()
      WHERE id = ${uuid}::uuid AND project_id = ${scope}::uuid AND deleted_at IS NULL`;
    if (count === 0) throw notFound("recipe", id);
  });
  return await getRecipe(scope, id);
}

/** Deletes a recipe; `restoreRecipe` brings it back for a day. @throws {AppError} `NOT_FOUND` */
export async function removeRecipe(scope: Scope, id: string): Promise<void> {
  const count = await database().$executeRaw`
    UPDATE recipe SET deleted_at = now()
    WHERE id = ${recipeUuid(id)}::uuid AND project_id = ${scope}::uuid AND deleted_at IS NULL`;
  if (count === 0) throw notFound("recipe", id);
}

/** Brings a deleted recipe back. @throws {AppError} `NOT_FOUND`; `NAME_TAKEN` where another has its name by now. */
export async function restoreRecipe(scope: Scope, id: string): Promise<Recipe> {
  const uuid = recipeUuid(id);
  await withTransaction(async (tx) => {
    const row = await tx.recipe.findFirst({ where: { id: uuid, projectId: scope } });
    if (!row) throw notFound("recipe", id);
    if (row.deletedAt === null) return;
    await requireFree(tx, { scope, name: row.name, but: uuid });
    await requireRoom(tx, scope);
    await tx.recipe.update({ where: { id: uuid }, data: { deletedAt: null } });
  });
  return await getRecipe(scope, id);
}

async function requireRoom(tx: Tx, scope: Scope): Promise<void> {
  if ((await tx.recipe.count({ where: { projectId: scope, deletedAt: null } })) < mostRecipes)
    return;
  throw fail("QUOTA_EXCEEDED", `There are ${mostRecipes} recipes already.`, {
    hint: "Delete one that nobody uses any more.",
  });
}

async function requireFree(
  tx: Tx,
  { scope, name, but }: { readonly scope: Scope; readonly name: string; readonly but: string },
): Promise<void> {
  const other = await tx.recipe.findFirst({
    where: { projectId: scope, name, deletedAt: null, id: { not: but } },
  });
  if (other) throw taken(name);
}

const taken = (name: string) =>
  fail("NAME_TAKEN", `A recipe named “${name}” exists.`, {
    field: "name",
    hint: "Choose another name, or replace that one.",
  });
