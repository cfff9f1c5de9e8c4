export {
  countClipped,
  exportOnnx,
  type Format,
  findHgqLayer,
  type Graph,
  loadReader,
  type Precision,
  type RealTensor,
  refusalOf,
  runGraph,
  runnableOnnx,
  sniff,
  type Tap,
} from "@/compiler";
export { type PrecisionSubject, type PrecisionTrial, precisionTrials } from "./boardwalk";
export { type FirmwarePart, partsBeside } from "./bond-firmware";
export type {
  Conversion,
  DeriveStep,
  Emulation,
  Engine,
  FillStep,
  HostSource,
  HostStep,
  Outcome,
  ParsedModel,
  Plan,
  PlanHead,
  PlanRequest,
  ProductRole,
  Products,
  SimulationStep,
  Step,
  TimingVerdict,
  ToolStep,
  Variant,
} from "./engine";
export {
  type Archive,
  describeFirmware,
  readArchivedArtifact,
  readFirmware,
} from "./prebuilt";
export { readModel, readSavedModel, savedModelFile } from "./read-model";
export {
  isIntegerGraph,
  parseMadeReference,
  type Reference,
  type ReferenceRun,
  runReference,
  wordsOfRow,
} from "./reference/reference";
export { getEngine, listEngines } from "./registry";
export { boardsOf, kindOnDemand, loadsOf, type ToolNeed, toolNeeds } from "./tool-needs";
export { engineVerdicts } from "./verdicts";
