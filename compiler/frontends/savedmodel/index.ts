export { parseSavedModel, type SavedModel } from "./parse-saved-model";
