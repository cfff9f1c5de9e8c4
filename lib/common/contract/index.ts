export {
  type Accuracy,
  accuracySchema,
  type Calibration,
  type Clipping,
  type OutputAccuracy,
  type WorstRow,
} from "./accuracy";
export {
  archiveKeySchema,
  archiveMembers,
  type ImportedArtifact,
  importedArtifactSchema,
} from "./artifact-archive";
export {
  type Artifact,
  type ArtifactFile,
  type ArtifactIo,
  artifactSchema,
  type CriticalPath,
  corePortSchema,
  type FileRole,
  fileRoleSchema,
  ioSchema,
  type Manifest,
  manifestSchema,
  type Proof,
  type ProofLevel,
  type ProvenLevel,
  type Report,
  reportSchema,
  type Signature,
  signatureSchema,
  type Vectors,
  vectorsSchema,
} from "./artifacts";
export {
  type AttachedBoard,
  type Attachment,
  attachedBoardSchema,
  attachmentSchema,
  type NewAttachment,
  newAttachmentSchema,
  type TrialReport,
  type TrialStep,
  trialStepNames,
  trialStepSchema,
} from "./attachments";
export {
  type Command,
  type EnrolRequest,
  type EnrolResponse,
  enrolRequestSchema,
  enrolResponseSchema,
  type LoadCommand,
  loadCommandSchema,
  type OfferedBoard,
  type PollRequest,
  type PollResponse,
  pollRequestSchema,
  pollResponseSchema,
  type SignedAdoptions,
  type SignedAttachments,
  type SignedCommand,
  type SigningKey,
  type SlotReport,
  signedAdoptionsSchema,
  signedCommandSchema,
  signingKeySchema,
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
  type Loads,
  loadsSchema,
} from "./boards";
export {
  type Build,
  type BuildCounts,
  type BuildOverview,
  buildOverviewHours,
  buildOverviewSchema,
  buildSchema,
  type LogLine,
  logLineSchema,
  logPageSchema,
  type Stage,
} from "./builds";
export { canonicalJson } from "./canonical-json";
export {
  type BuildWorker,
  type DoctorCheck,
  doctorSchema,
  type MissingTool,
  type SandboxKind,
} from "./doctor";
export {
  type Deployed,
  deployedSchema,
  type Endpoint,
  endpointSchema,
  type NewEndpoint,
  type NewRevision,
  newEndpointSchema,
  newRevisionSchema,
  type Revision,
  type Rollback,
  revisionSchema,
  rollbackSchema,
  type Timing,
  timingSchema,
} from "./endpoints";
export { type EngineSummary, engineSchema, type LackingTools } from "./engines";
export {
  type EqualBuilds,
  type EqualQuery,
  equalBuildsSchema,
  equalQuerySchema,
} from "./equal-builds";
export { type ErrorBody, errorBodySchema, problemSchema } from "./errors";
export { type ChangeEvent, changeEventSchema } from "./events";
export { type Fit, tooLargeSchema } from "./fits";
export {
  type Expectation,
  expectationSchema,
  type ForecastDeviation,
  type ForecastFigure,
  forecastDeviationSchema,
  forecastFigures,
} from "./forecasts";
export {
  cardSaysRange,
  type InputRange,
  inputRangeSchema,
  isRangeAssumed,
  rangeOfEach,
} from "./input-range";
export {
  type InspectionRequest,
  inspectionRequestSchema,
  type NewSearch,
  newSearchSchema,
  type PrecisionTry,
  type RowsFile,
  rowsFileSchema,
  rowsFoundSchema,
  type Search,
  type SearchResult,
  searchSchema,
} from "./inspections";
export {
  type BuildFilter,
  type BuildListCounts,
  type BuildSort,
  buildFilterSchema,
  buildListCountsSchema,
  buildListQuerySchema,
  buildSorts,
  type EndpointFilter,
  type EndpointListCounts,
  type EndpointSort,
  type ExportedBuild,
  type ExportedEndpoint,
  endpointFilterSchema,
  endpointListCountsSchema,
  endpointListQuerySchema,
  endpointSorts,
  exportedBuildSchema,
  exportedEndpointSchema,
} from "./lists";
export {
  type ClockTiming,
  type MachineDrawing,
  type Placement,
  placementSchema,
  type SectionGroup,
  type SectionUse,
  type Span,
  type TileKind,
  type Timeline,
  tileKinds,
} from "./measurements";
export {
  type EngineVerdict,
  type Inspection,
  inspectionPendingSchema,
  inspectionSchema,
  inspectRequestSchema,
  type Model,
  type ModelCard,
  modelCardSchema,
  modelSchema,
  type OptionLayer,
} from "./models";
export {
  type Digest,
  digestSchema,
  idPrefixes,
  namePattern,
  toDigest,
} from "./names";
export type { FoundFirmware, Maker, Origin } from "./origins";
export {
  type Outline,
  outlineVersion,
} from "./outlines";
export { pageOf, pageQuerySchema } from "./pages";
export type { Scope } from "./scope";
export { type Serving, servingSchema } from "./serving";
export {
  type AdoptedBoard,
  adoptedBoardSchema,
  type NewAdoption,
  newAdoptionSchema,
  type Release,
  releaseSchema,
  type SeenDevice,
  type Sighting,
  type Surroundings,
  seenDeviceSchema,
  surroundingsSchema,
} from "./sightings";
export {
  type BoardState,
  type BuildState,
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
  stageNames,
} from "./states";
