export { deploy, endpointQuery, endpointsQuery } from "./api";
export { endpointAppearance } from "./appearance";
export { EndpointView } from "./endpoint-view";
export { EndpointsTable } from "./endpoints-table";
export { hasSeenCycles } from "./seen-cycles";
