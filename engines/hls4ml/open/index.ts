export { gather } from "./gather";
export { gatherTask } from "./making";
export { openTools, planOpen } from "./plan";
