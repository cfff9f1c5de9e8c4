export { encodeFrame, type Frame, FrameDecoder, parseResult, type ResultPayload } from "./frame";
export { type Identity, parseIdentity, renderIdentity } from "./identity";
export { type FrameKind, frameErrors, frameKinds } from "./protocol";
export { shellSource } from "./shell-source";
