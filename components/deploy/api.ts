import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import { type NewRecipe, pageOf, type RecipeChange, recipeSchema } from "@/lib/common/contract";

const base = "/api/v1/recipes";
const pageSchema = pageOf(recipeSchema);

/** Every recipe, by name. */
export const recipesQuery = () =>
  queryOptions({
    queryKey: ["recipes"],
    queryFn: ({ signal }) => getJson(base, pageSchema, { signal }),
  });

/** One recipe. */
export const recipeQuery = (id: string) =>
  queryOptions({
    queryKey: ["recipes", id],
    queryFn: ({ signal }) => getJson(`${base}/${id}`, recipeSchema, { signal }),
  });

export const addRecipe = (recipe: NewRecipe) => postJson(base, recipe, recipeSchema);

export const changeRecipe = (id: string, change: RecipeChange) =>
  postJson(`${base}/${id}`, change, recipeSchema);

export const removeRecipe = (id: string) => deleteJson(`${base}/${id}`, z.unknown());

export const restoreRecipe = (id: string) => postJson(`${base}/${id}/restore`, {}, recipeSchema);
