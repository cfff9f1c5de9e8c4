export { encodeFrame, type Frame, FrameDecoder, parseResult, type ResultPayload } from "./frame";
export {
  blankTable,
  type Identity,
  identityModules,
  identityTables,
  parseIdentity,
  renderTables,
} from "./identity";
export { type FrameKind, frameErrors, frameKinds } from "./protocol";
export { shellSource } from "./shell-source";
export { SoftShell } from "./soft-shell";
