export { Refusals } from "./refusals";
export { targetOf, withMade } from "./target";
export type { AuditDeed, Claim } from "./types";
export { dropIntent, endIntent, writeEntry, writeIntent } from "./write";
