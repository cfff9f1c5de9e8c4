export {
  encodeIdentity,
  IDENTITY_BYTES,
  type Identity,
  parseIdentity,
  renderIdentity,
} from "./identity";
export { type FrameKind, frameErrors, frameKinds, PROTOCOL_VERSION } from "./protocol";
export { shellSource } from "./shell-source";
