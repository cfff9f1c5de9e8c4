export { type AxiBoard, loadAxi } from "./axi-device";
export { openRegisters } from "./registers";
