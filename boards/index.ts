export {
  clockLadder,
  nextpnrArgs,
  pllSettings,
  renderTop,
  synthCommand,
  type TopOptions,
} from "./families/ice40";
export { type Identity, renderIdentity, shellSource } from "./links/uart";
export { findBoardModel, getBoardModel, listBoardModels } from "./registry";
export {
  type BoardModel,
  boardEntrySchema,
  type Drawing,
  type Flow,
  type Part,
  partSchema,
  programmerSchema,
  type Resources,
} from "./schema";
