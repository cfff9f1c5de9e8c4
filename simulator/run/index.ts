export { createCoreRunner } from "./core-runner";
export { loadSimulation, type Simulation } from "./simulation";
export { createUartLine, type UartLine } from "./uart-line";
