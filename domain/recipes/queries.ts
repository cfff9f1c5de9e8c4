import { idPrefixes, type Recipe, recipeSchema, type Scope } from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { database, parseId, toId } from "@/lib/server/db";

/** All that are kept, by name. */
export async function listRecipes(scope: Scope): Promise<Recipe[]> {
  const rows = await database().recipe.findMany({
    where: { projectId: scope, deletedAt: null },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  return rows.map(toRecipe);
}

/** @throws {AppError} `NOT_FOUND` */
export async function getRecipe(scope: Scope, id: string): Promise<Recipe> {
  const row = await database().recipe.findFirst({
    where: { id: recipeUuid(id), projectId: scope, deletedAt: null },
  });
  if (!row) throw notFound("recipe", id);
  return toRecipe(row);
}

/** The UUID within an id. @throws {AppError} `NOT_FOUND` where it is no id of a recipe. */
export function recipeUuid(id: string): string {
  const uuid = parseId(idPrefixes.recipe, id);
  if (uuid === null) throw notFound("recipe", id);
  return uuid;
}

interface RecipeRow {
  readonly id: string;
  readonly name: string;
  readonly content: unknown;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

function toRecipe({ id, name, content, createdAt, updatedAt }: RecipeRow): Recipe {
  return recipeSchema.parse({
    id: toId(idPrefixes.recipe, id),
    name,
    content,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  });
}
