export { expireInspections } from "./inspections";
export { republishOutbox } from "./jobs";
export { cancelOrphans, endDeadlines, expireLeases } from "./leases";
export { sweepEvents, sweepIdempotency, sweepOutbox } from "./sweeps";
export { hasWaitingJobs } from "./waiting";
