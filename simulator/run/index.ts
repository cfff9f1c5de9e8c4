export type { SimulationInterface } from "../interface";
export {
  type CoreAnswer,
  type CoreRunner,
  type CoreShape,
  createCoreRunner,
  type Observation,
  type ObservedAnswer,
} from "./core-runner";
export { loadSimulation, type Simulation } from "./simulation";
export { createUartLine, type UartLine, type UartOptions } from "./uart-line";
