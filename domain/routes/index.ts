export { setEndpointPaused, writePaused } from "./commands";
export { listGatewayKeys, reportGateway } from "./gateways";
export { createRouteReader, loadRoutes } from "./queries";
export type { RouteEndpoint, RouteReplica, RouteRevision, RouteSnapshot } from "./types";
