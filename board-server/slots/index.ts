export { openSlots, type Slots } from "./slots";
