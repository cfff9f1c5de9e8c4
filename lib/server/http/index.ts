export { readBody } from "./body";
export { errorBody, errorHeaders, sendError } from "./error-body";
export { stripInternalHeaders } from "./headers";
export {
  allowedHosts,
  isAllowedHost,
  isForeign,
  isForeignWrite,
  isKnownHost,
  type Provenance,
} from "./origin";
