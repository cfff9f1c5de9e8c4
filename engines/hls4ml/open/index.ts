export { gather } from "./gather";
export { gatherTask } from "./making";
export { outlineOf } from "./outline";
export { openTools, planOpen } from "./plan";
