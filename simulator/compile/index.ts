export { compileNetlist } from "./compile-netlist";
