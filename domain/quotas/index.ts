export { setQuotas } from "./commands";
export { listQuotas } from "./queries";
export { requireBoardRoom, requireBuildRoom, requireStorageRoom } from "./room";
export { runsWithinQuota } from "./runs-within-quota";
