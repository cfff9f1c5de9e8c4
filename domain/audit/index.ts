export { type AuditOptions, audit } from "./audit";
export type { Finding, Invariant } from "./types";
