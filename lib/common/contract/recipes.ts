import { z } from "zod";
import { newRevisionSchema } from "./endpoints";
import { presetIds } from "./engines";
import { isoTimeSchema } from "./names";

/** What a deploy form holds, or as much of it as somebody wants to keep: a deploy whose every part may be missing. */
export const recipeContentSchema = newRevisionSchema.partial().extend({
  /** What the options were chosen by, before they were tuned; `usual`: by the engine itself. */
  preset: z.enum(["usual", ...presetIds]).optional(),
});
/** The choices of a deploy that can be made again. */
export type RecipeContent = z.infer<typeof recipeContentSchema>;

const recipeNameSchema = z.string().trim().min(1, "Give it a name.").max(80);

/** What a recipe is made by. */
export const newRecipeSchema = z.strictObject({
  name: recipeNameSchema,
  content: recipeContentSchema,
});
/** What a recipe is made by. */
export type NewRecipe = z.output<typeof newRecipeSchema>;

/** Another name for a recipe, or other choices under its name. */
export const recipeChangeSchema = newRecipeSchema
  .partial()
  .refine(({ name, content }) => name !== undefined || content !== undefined, {
    error: "Give a name, or what it is to hold.",
  });
/** What is to be changed about a recipe. */
export type RecipeChange = z.output<typeof recipeChangeSchema>;

/** Choices of a deploy under a name. */
export const recipeSchema = z.object({
  id: z.string(),
  name: z.string(),
  content: recipeContentSchema,
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
});
/** Choices of a deploy under a name. */
export type Recipe = z.infer<typeof recipeSchema>;
