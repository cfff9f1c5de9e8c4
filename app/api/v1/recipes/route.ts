import { addRecipe, listRecipes } from "@/domain/recipes";
import { newRecipeSchema, pageOf, recipeSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "recipes.list",
  needs: "read",
  summary: "Choices of a deploy that somebody kept under a name, by name: all of them.",
  response: pageOf(recipeSchema),
  handle: async ({ scope }) => ({ items: await listRecipes(scope), nextCursor: null }),
});

export const POST = defineHandler({
  name: "recipes.create",
  needs: "build",
  summary:
    "Keeps choices of a deploy under a name: the body of POST /endpoints, of which every part may be missing.",
  body: newRecipeSchema,
  response: recipeSchema,
  status: 201,
  handle: ({ scope, body }) => addRecipe(scope, body),
});
