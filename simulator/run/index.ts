export { createAxiBus } from "./axi-bus";
export { type CoreAnswer, type CoreShape, createCoreRunner } from "./core-runner";
export { type CoreSession, startCoreSession } from "./core-session";
export { loadSimulation, type Simulation } from "./simulation";
export {
  changeAt,
  createRecorder,
  type Recorder,
  type SignalTrace,
  type Trace,
  valueAt,
} from "./trace";
export { createUartLine, type UartLine } from "./uart-line";
export { writeVcd } from "./vcd";
