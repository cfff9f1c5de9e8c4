export { repairArtifacts } from "./artifacts";
export { endLeasesOfDead } from "./dead-workers";
export { expireInspections } from "./inspections";
export { republishOutbox } from "./jobs";
export { cancelOrphans, endDeadlines, expireLeases } from "./leases";
export { type SweptTable, sweepTable, sweptTables } from "./sweeps";
export { hasWaitingJobs } from "./waiting";
