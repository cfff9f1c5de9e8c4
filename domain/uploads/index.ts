export { type ModelNamed, withModelNames } from "./model-names";
