export { runChild } from "./child";
export { type FaultPoint, fault, faultPoints } from "./fault";
export { collectSeldom } from "./garbage";
export { watchLoop } from "./loop-probe";
export { openProcess } from "./open";
export { peerUid } from "./peer-uid";
export { isOver, processName } from "./place";
export { lowerThreadPriority } from "./priority";
export { cpuMsOf, descendantsOf, residentBytes } from "./proc";
export { onShutdown, watchParent } from "./shutdown";
export { killableCalls, type StoreCallPlace } from "./store-calls";
export { makeTemporaryFolder } from "./temporary";
export {
  answerThread,
  bundlePath,
  runThread,
  startThread,
  type Thread,
} from "./thread";
export { findOnPath } from "./which";
export { writeFirst } from "./write-first";
