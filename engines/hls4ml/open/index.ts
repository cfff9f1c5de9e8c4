export { gather } from "./gather";
export { gatherTask } from "./making";
export { findOutline } from "./outline";
export { openTools, planOpen } from "./plan";
