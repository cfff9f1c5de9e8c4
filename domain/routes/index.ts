export { setEndpointPaused, writePaused } from "./commands";
export { loadRoutes } from "./queries";
export type { RouteEndpoint, RouteReplica, RouteRevision, RouteSnapshot } from "./types";
