export { BondHost, type Said, storeHostOf } from "./bond-host";
