export { readBody } from "./body";
export { errorBody, errorHeaders, sendError } from "./error-body";
export { createGuardedServer, sayLast } from "./guarded-server";
export { stripInternalHeaders } from "./headers";
export { OriginGuard, ownHosts, provenanceOf } from "./origin";
export { type Identity, notOwner, OwnerGuard, type OwnerOptions } from "./owner";
export { portOf } from "./port";
