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
export type {
  BoardModel,
  Drawing,
  Flow,
  Part,
  Resources,
} from "./schema";
