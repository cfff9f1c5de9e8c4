export { endLeasesOfDeadWorkers } from "./dead-workers";
export { claim, heldBy, isAlive, isSilent, leaseLost, renewal } from "./leases";
