export {
  type Artifact,
  type ArtifactIo,
  artifactFileSchema,
  artifactSchema,
  corePortSchema,
  type FileRole,
  fileRoleSchema,
  fixedPointSchema,
  ioSchema,
  type Manifest,
  manifestSchema,
  type Proof,
  proofSchema,
  type Report,
  reportSchema,
  resourceUseSchema,
  type Signature,
  signatureSchema,
  type Vectors,
  vectorsSchema,
} from "./artifacts";
export {
  type Board,
  type BoardKind,
  type BoardModelSummary,
  boardKindSchema,
  boardModelSummarySchema,
  boardSchema,
  enrolmentSchema,
  slotSchema,
} from "./boards";
export {
  type Build,
  buildSchema,
  type LogLine,
  logLineSchema,
  logPageSchema,
  type Stage,
  stageSchema,
} from "./builds";
export { canonicalJson } from "./canonical-json";
export {
  boardChoiceSchema,
  type Deployed,
  deployedSchema,
  type Endpoint,
  endpointSchema,
  type NewEndpoint,
  type NewRevision,
  newEndpointSchema,
  newRevisionSchema,
  type Revision,
  revisionSchema,
  type Timing,
  timingSchema,
} from "./endpoints";
export { type EngineSummary, engineSchema } from "./engines";
export { type ErrorBody, errorBodySchema, type Problem, problemSchema } from "./errors";
export { type ChangeEvent, changeEventSchema } from "./events";
export {
  type EngineVerdict,
  engineVerdictSchema,
  type Inspection,
  inspectionPendingSchema,
  inspectionSchema,
  inspectRequestSchema,
  type Model,
  type ModelCard,
  modelCardSchema,
  modelSchema,
  tensorSpecSchema,
} from "./models";
export {
  type Digest,
  digestPattern,
  digestSchema,
  idPrefixes,
  namePattern,
  nameSchema,
} from "./names";
export { pageOf, pageQuerySchema } from "./pages";
export type { Scope } from "./scope";
export {
  type BoardState,
  type BuildState,
  boardStateSchema,
  buildStateSchema,
  buildStates,
  type EndpointState,
  endpointStateSchema,
  finalBuildStates,
  type RevisionState,
  revisionStateSchema,
  type SlotState,
  type StageName,
  type StageState,
  slotStateSchema,
  stageNameSchema,
  stageNames,
  stageStateSchema,
} from "./states";
