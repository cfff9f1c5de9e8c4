export { whyNoBlink } from "./blink";
export {
  type Family,
  type FamilyCosts,
  familyCosts,
  findFamily,
  flowFiles,
  getFamily,
  listFamilyCosts,
  type ReadBack,
  type VendorFlow,
} from "./families";
export { type Filling, fillBlanks } from "./fill-blanks";
export { fillingOf } from "./filling";
export { axiSource, renderAddressMap } from "./links/axi";
export { blankTable, identityModules, renderTables, shellSource } from "./links/uart";
export { findBoardModel, getBoardModel, listBoardModels } from "./registry";
export type { BoardModel, Drawing, Part } from "./schema";
export {
  blankClock,
  clockLadder,
  clockModules,
  powerOnCycles,
  renderClock,
  renderTop,
  shellParameters,
  type TopOptions,
} from "./top";
export { boardModelsOnUsb } from "./usb";
