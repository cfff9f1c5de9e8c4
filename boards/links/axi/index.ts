export {
  axiBits,
  axiKernel,
  axiMagic,
  axiOffsets,
  axiVersion,
  identityBytes,
  rangeBytes,
  renderAddressMap,
} from "./registers";
export { axiSource } from "./wrapper-source";
