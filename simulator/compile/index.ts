export type { SimulationInterface } from "../interface";
export { type CompiledSimulation, type CompileOptions, compileNetlist } from "./compile-netlist";
