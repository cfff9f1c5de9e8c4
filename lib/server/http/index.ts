export { readBody } from "./body";
export { errorBody, errorHeaders, sendError } from "./error-body";
export { createGuardedServer } from "./guarded-server";
export { stripInternalHeaders } from "./headers";
export {
  allowedHosts,
  isAllowedHost,
  isForeign,
  isForeignWrite,
  isKnownHost,
  type Provenance,
} from "./origin";
export { type Identity, notOwner, OwnerGuard, type OwnerOptions } from "./owner";
