export { readBody } from "./body";
export { clientOf } from "./client-of";
export { errorBody, errorHeaders, sendError } from "./error-body";
export { createGuardedServer, sayLast } from "./guarded-server";
export { clientHeader, stripInternalHeaders } from "./headers";
export { groupsOf, mappedIpv4 } from "./ipv6";
export { OriginGuard, ownHosts, provenanceOf } from "./origin";
export { type Identity, notOwner, OwnerGuard, type OwnerOptions } from "./owner";
export { portOf } from "./port";
