export {
  type Family,
  findFamily,
  flowFiles,
  getFamily,
  type ReadBack,
  type VendorFlow,
} from "./families";
export { axiSource, renderAddressMap } from "./links/axi";
export { renderIdentity, shellSource } from "./links/uart";
export { findBoardModel, getBoardModel, listBoardModels } from "./registry";
export type { BoardModel, Drawing, Flow, Part, Resources } from "./schema";
export { clockLadder, renderTop } from "./top";
export { boardModelsOnUsb } from "./usb";
