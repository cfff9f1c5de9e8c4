export { setEndpointPaused, writePaused } from "./commands";
export { createRouteReader, loadRoutes } from "./queries";
export type { RouteEndpoint, RouteReplica, RouteRevision, RouteSnapshot } from "./types";
