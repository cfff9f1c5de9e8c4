export { hashPassword, isPassword, requireGoodPassword, signIn } from "./accounts";
export {
  type AttemptPart,
  digestOfAttempt,
  endAttempt,
  makeAttempt,
  partOfAttempt,
  shownAttempt,
} from "./attempt-cookie";
export { identify, requireNeed, unknownToken } from "./authenticate";
export { type Caller, nobody, noProject } from "./caller";
export { watchCredential } from "./ended-credentials";
export { findGrant, type Grant, listEnded, listRevoked, noteUses, type TokenUse } from "./grants";
export { ensureLocalOwner } from "./local-owner";
export { LookUps } from "./look-ups";
export { portalAskerHeader, portalToken } from "./portal-token";
export { roughPlace } from "./rough-place";
export {
  cookieAttributes,
  findSession,
  hasAccounts,
  openSession,
  sessionCookie,
  shownSession,
} from "./sessions";
export { digestOfToken, makeTokenText, shownToken } from "./token-text";
