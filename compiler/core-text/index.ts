export { corePorts } from "./core-ports";
export { emitMultiplier } from "./multiplier";
export { emitRowIn } from "./row-in";
export { emitRowOut } from "./row-out";
