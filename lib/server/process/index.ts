export { type ChildEnd, type ChildOptions, type ChildResult, runChild } from "./child";
export { type FaultPoint, fault, faultPoints } from "./fault";
export { onShutdown, type ShutdownOptions, watchParent } from "./shutdown";
export {
  answerThread,
  bundlePath,
  type RunOptions,
  runThread,
  startThread,
  type Thread,
} from "./thread";
export { findOnPath } from "./which";
