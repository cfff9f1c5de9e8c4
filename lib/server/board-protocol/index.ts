export {
  type CallCommand,
  type CallReport,
  type Command,
  type DialAddress,
  enrolRequestSchema,
  enrolResponseSchema,
  type LineReport,
  type LoadCommand,
  loadCommandSchema,
  pollRequestSchema,
  pollResponseSchema,
  type SignedAdoptions,
  type SignedAttachments,
  type SignedCommand,
  type SignedGateways,
  type SigningKey,
  type SlotReport,
  signingKeySchema,
  slotReportSchema,
  type TaskCommand,
  type TaskReport,
  type TensorAddress,
  type UnloadCommand,
} from "@/lib/common/contract";
export {
  type AnsweredCall,
  type AnsweredStream,
  type AskedCall,
  answerCalls,
  isCount,
} from "./answer-calls";
export { peerKeyOf, type TlsIdentity, tlsIdentity } from "./certificate";
export { type DirectAnswer, type DirectCall, isLeaving, type Ping } from "./direct";
export { type Frame, partsOf, readFrames, type TensorParts, writeFrame } from "./frames";
export { boardServerHeaders, inferHeaders, signedText } from "./headers";
export { type KeyPair, loadKeyPair, loadPrivateKey } from "./key-file";
export {
  admitKeys,
  adoptionsText,
  attachmentsText,
  commandText,
  gatewaysText,
  isSigned,
} from "./keys";
export { bareHost, isLoopback } from "./loopback";
export { boardServerVersion } from "./version";
