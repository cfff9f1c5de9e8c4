export { authenticate, unknownToken } from "./authenticate";
export type { Caller } from "./caller";
export { watchToken } from "./ended-tokens";
export { findGrant, type Grant, listEnded, listRevoked, noteUses, type TokenUse } from "./grants";
export { ensureLocalOwner } from "./local-owner";
export { portalToken } from "./portal-token";
export { roughPlace } from "./rough-place";
export { makeTokenText, shownToken } from "./token-text";
