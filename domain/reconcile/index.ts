export { repairArtifacts } from "./artifacts";
export { republishOutbox } from "./jobs";
export { cancelOrphans, endDeadlines, expireLeases } from "./leases";
export { type SweptTable, sweepTable, sweptTables } from "./sweeps";
export { hasWaitingJobs } from "./waiting";
