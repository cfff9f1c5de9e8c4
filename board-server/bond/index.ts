export { type BondListen, startBondServer } from "./bond-server";
