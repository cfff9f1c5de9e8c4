export { BondHost } from "./bond-host";
