export type { SimulationInterface } from "../interface";
export { loadSimulation, type Simulation } from "./simulation";
