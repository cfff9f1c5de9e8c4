export { createDevices } from "./create-devices";
export type { DeviceLoader, LoadedModel } from "./device";
export { PluggedBoards, readPluggedBoards } from "./physical";
export { type QueueOptions, SlotQueue } from "./slot-queue";
