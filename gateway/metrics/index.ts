export { Meter } from "./meter";
export type { RecentView } from "./recent";
export { type Duration, ModelStatistics, Statistics } from "./statistics";
