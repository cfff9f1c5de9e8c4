export {
  type Accuracy,
  accuracySchema,
  type Calibration,
  type Clipping,
  type WorstRow,
} from "./accuracy";
export {
  type Artifact,
  type ArtifactFile,
  type ArtifactIo,
  artifactFileSchema,
  artifactSchema,
  type CriticalPath,
  corePortSchema,
  type FileRole,
  fileRoleSchema,
  fixedPointSchema,
  ioSchema,
  type Manifest,
  manifestSchema,
  type Proof,
  type ProofLevel,
  type ProvenLevel,
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
  type Command,
  commandSchema,
  type EnrolRequest,
  type EnrolResponse,
  enrolRequestSchema,
  enrolResponseSchema,
  type LoadCommand,
  loadCommandSchema,
  type OfferedBoard,
  offeredBoardSchema,
  type PollRequest,
  type PollResponse,
  pollRequestSchema,
  pollResponseSchema,
  type SlotReport,
  slotReportSchema,
  type TensorAddress,
  tensorAddressSchema,
} from "./board-servers";
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
  calibrationRowsSchema,
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
export { type Fit, fitSchema, tooLargeSchema } from "./fits";
export {
  type Expectation,
  expectationSchema,
  type ForecastError,
  type ForecastFigure,
  forecastErrorSchema,
  forecastFigures,
} from "./forecasts";
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
export { type Serving, servingSchema } from "./serving";
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
