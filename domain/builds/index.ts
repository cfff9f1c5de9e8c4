export {
  claimBuild,
  endBuild,
  failBuild,
  giveUpAttempt,
  handBackBuild,
  maxChargedAttempts,
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
export { compactLog, listUncompacted } from "./compacted-log";
export { buildJobId, createBuild, enqueueAgain } from "./create";
export { appendLog, type LogPage, markLogTruncated, readLog } from "./log";
export { getBuildOverview } from "./overview";
export {
  findAttempt,
  findReusable,
  findRunningTwin,
  getBuild,
  getBuildState,
  listBuilds,
  type Reusable,
} from "./queries";
export { allowedTransitions } from "./states";
export { tellBuild } from "./transition";
export type {
  AttemptRow,
  LeaseState,
  NewArtifact,
  NewBuild,
  Success,
} from "./types";
