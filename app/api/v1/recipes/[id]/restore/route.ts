import { restoreRecipe } from "@/domain/recipes";
import { recipeSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "recipes.restore",
  needs: "build",
  summary: "Brings a recipe back that was deleted within the last day.",
  params: idParams,
  response: recipeSchema,
  handle: ({ scope, params: { id } }) => restoreRecipe(scope, id),
});
