export { withModelNames } from "./model-names";
