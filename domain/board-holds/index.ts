export { isKeptForPeople, isLeased, leaseOf } from "./queries";
