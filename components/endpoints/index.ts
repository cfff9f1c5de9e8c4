export {
  addRevision,
  deploy,
  endpointQuery,
  endpointsQuery,
  revisionsQuery,
  rollBack,
} from "./api";
export { endpointAppearance } from "./appearance";
export { DifferenceTable } from "./difference-table";
export { differencesOf } from "./differences";
export { EndpointView } from "./endpoint-view";
export { EndpointsTable } from "./endpoints-table";
export { newRevisionOf } from "./new-revision";
export { outlookOf, outlookWords } from "./outlook";
export { hasSeenCycles } from "./seen-cycles";
