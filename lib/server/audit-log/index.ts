export { Refusals } from "./refusals";
export { targetOf, withMade } from "./target";
export type { AuditDeed, AuditTarget, Claim } from "./types";
export { dropIntent, endIntent, writeEntry, writeIntent } from "./write";
