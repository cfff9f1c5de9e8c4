export {
  claimBuild,
  endBuild,
  failBuild,
  handBackBuild,
  recordModel,
  recordPlan,
  renewLease,
  requeue,
  saveStages,
  setRunning,
  setWaitsFor,
  succeedBuild,
  takePlan,
} from "./attempts";
export { cancelBuild, retryBuild } from "./commands";
export { buildJobId, createBuild, enqueueAgain } from "./create";
export {
  appendLog,
  compactLog,
  type LogPage,
  listLogChunks,
  markLogTruncated,
  readLog,
} from "./log";
export { findReusable, findRunningTwin, getBuild, getBuildState, listBuilds } from "./queries";
export { allowedTransitions } from "./states";
export { tellBuild } from "./transition";
export type {
  AttemptRow,
  LeaseState,
  LogChunkRow,
  NewArtifact,
  NewBuild,
  Success,
} from "./types";
