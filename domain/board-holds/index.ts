export { isKeptForPeople, isLeased, leaseOf } from "./holds";
