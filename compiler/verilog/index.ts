export { emitCore } from "./emit-core";
export { locateShift, locateWeight, type MemoryPlace } from "./memories";
export { tapsOf } from "./taps";
