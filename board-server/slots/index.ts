export type { Slot } from "./slot";
export { openSlots, type Slots } from "./slots";
