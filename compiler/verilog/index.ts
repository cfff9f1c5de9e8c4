export { emitCore, type MemoryStyles } from "./emit-core";
export { locateShift, locateWeight, type MemoryPlace } from "./memories";
export { tapsOf } from "./taps";
