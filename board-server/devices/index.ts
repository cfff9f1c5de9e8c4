export { AttachedBoards } from "./attached-boards";
export { createDevices } from "./create-devices";
export type { BoardLine, DeviceLoader, LoadedModel } from "./device";
export { PluggedBoards } from "./plugged-boards";
export { readPluggedBoards } from "./read-plugged-boards";
export { countTestRows } from "./self-test";
export { type QueueOptions, SlotQueue } from "./slot-queue";
export { slotTiming } from "./slot-timing";
export { findFpgas } from "./zynq";
