export { emitCore } from "./emit-core";
export { locateShift, locateWeight } from "./memories";
export { tapsOf } from "./taps";
