export type { Asked } from "./asked";
export { Traffic, type TrafficOptions } from "./traffic";
