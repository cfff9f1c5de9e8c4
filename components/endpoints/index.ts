export { deploy, endpointQuery, endpointsQuery } from "./api";
export { EndpointView } from "./endpoint-view";
export { EndpointsTable } from "./endpoints-table";
export { endpointLook } from "./look";
export { hasSeenCycles } from "./predicted";
