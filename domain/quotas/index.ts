export { setQuotas } from "./commands";
export { listQuotas } from "./queries";
export {
  hasLeaseRoom,
  requireBoardRoom,
  requireBuildRoom,
  requireLeaseRoom,
  requireStorageRoom,
} from "./room";
export { mostRunning, mostRunningEach, runsWithinQuota } from "./runs-within-quota";
