export { corePorts } from "./core-ports";
export {
  bits,
  declareMemory,
  hex,
  lanesPerMemory,
  type MemoryImage,
  type MemoryPlace,
  shiftWidth,
  weightBits,
  weightMemoryOf,
} from "./memory";
export { emitMultiplier } from "./multiplier";
export { resize } from "./resize";
export { emitRowIn } from "./row-in";
export { emitRowOut } from "./row-out";
