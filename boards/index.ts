export { type Family, findFamily, flowFiles, getFamily, type ReadBack } from "./families";
export { renderIdentity, shellSource } from "./links/uart";
export { findBoardModel, getBoardModel, listBoardModels } from "./registry";
export type { BoardModel, Drawing, Flow, Part, Resources } from "./schema";
export { clockLadder, renderTop } from "./top";
