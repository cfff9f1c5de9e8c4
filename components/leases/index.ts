export { BoardLeases } from "./board-leases";
export { LeaseBar } from "./lease-bar";
export { LeasesSection } from "./leases-section";
