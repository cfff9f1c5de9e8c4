export { addRecipe, changeRecipe, removeRecipe, restoreRecipe } from "./commands";
export { getRecipe, listRecipes } from "./queries";
