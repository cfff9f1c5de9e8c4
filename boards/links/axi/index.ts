export { axiMagic, axiOffsets, renderAddressMap } from "./registers";
export { axiSource } from "./wrapper-source";
