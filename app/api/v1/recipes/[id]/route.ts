import { changeRecipe, getRecipe, removeRecipe } from "@/domain/recipes";
import { recipeChangeSchema, recipeSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "recipes.get",
  needs: "read",
  summary: "Choices of a deploy that somebody kept under a name.",
  params: idParams,
  response: recipeSchema,
  handle: ({ scope, params: { id } }) => getRecipe(scope, id),
});

export const POST = defineHandler({
  name: "recipes.change",
  needs: "build",
  summary: "Gives a recipe another name, or puts other choices under its name.",
  params: idParams,
  body: recipeChangeSchema,
  response: recipeSchema,
  handle: ({ scope, params: { id }, body }) => changeRecipe(scope, id, body),
});

export const DELETE = defineHandler({
  name: "recipes.remove",
  needs: "build",
  summary: "Deletes a recipe; POST /recipes/{id}/restore brings it back for a day.",
  params: idParams,
  handle: async ({ scope, params: { id } }) => {
    await removeRecipe(scope, id);
    return undefined;
  },
});
