export { clockLadder, nextpnrArgs, pllSettings, renderTop, synthCommand } from "./families/ice40";
export { renderIdentity, shellSource } from "./links/uart";
export { findBoardModel, getBoardModel, listBoardModels } from "./registry";
export type { BoardModel, Drawing, Flow, Part, Resources } from "./schema";
