export { runChild } from "./child";
export { type FaultPoint, fault, faultPoints } from "./fault";
export { residentBytes } from "./proc";
export { onShutdown, watchParent } from "./shutdown";
export {
  answerThread,
  bundlePath,
  runThread,
  startThread,
  type Thread,
} from "./thread";
export { findOnPath } from "./which";
