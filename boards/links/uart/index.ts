export { cobsDecode, cobsEncode } from "./cobs";
export { crc16 } from "./crc16";
export { encodeFrame, type Frame, FrameDecoder, parseResult, type ResultPayload } from "./frame";
export {
  encodeIdentity,
  IDENTITY_BYTES,
  type Identity,
  parseIdentity,
  renderIdentity,
} from "./identity";
export { type FrameKind, frameErrors, frameKinds, PROTOCOL_VERSION } from "./protocol";
export { shellSource } from "./shell-source";
