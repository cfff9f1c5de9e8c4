export { repairArtifacts } from "./artifacts";
export { cancelOrphans, endDeadlines, expireLeases } from "./leases";
export { republishOutbox } from "./outbox";
export { type SweptTable, sweepTable, sweptTables } from "./sweeps";
export { hasWaitingJobs } from "./waiting";
