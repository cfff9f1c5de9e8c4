export type { PlainAnswerer, PlainCall, PlainRoute } from "./plain-host";
export { PlainLane } from "./plain-lane";
export type { PlainHead } from "./read-head";
