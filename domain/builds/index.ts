export {
  claimBuild,
  endBuild,
  failBuild,
  giveUpAttempt,
  handBackBuild,
  maxChargedAttempts,
  recordModel,
  renewLease,
  requeue,
  saveStages,
  setRunning,
  succeedBuild,
  takePlan,
} from "./attempts";
export { claimNextBuild } from "./claim-next";
export { cancelBuild, retryBuild, setLabels, setPriority } from "./commands";
export { compactLog, listUncompacted } from "./compacted-log";
export { buildJobId, createBuild, enqueueAgain } from "./create";
export { countBuilds, exportBuilds, listBuilds, listBuildsOfModel } from "./lists";
export {
  appendLog,
  getLogDifference,
  getLogOutline,
  markLogTruncated,
  readLog,
  searchLog,
} from "./log";
export {
  followBuild,
  type NewImport,
  requestBuild,
  requestImport,
  waitForBuild,
} from "./lone-builds";
export { getBuildOverview } from "./overview";
export {
  findAttempt,
  findReusable,
  getBuild,
  isBuildAlive,
  type Reusable,
} from "./queries";
export { getBuildQueue } from "./queue";
export { allowedTransitions } from "./states";
export { getBuildTimeline } from "./timeline";
export { tellBuild } from "./transition";
export { getBuildTrend } from "./trend";
export type {
  AttemptRow,
  LeaseState,
  NewArtifact,
  Success,
} from "./types";
