export {
  countClipped,
  exportOnnx,
  type Format,
  type Graph,
  type IntegerGraph,
  loadReader,
  type Precision,
  type RealTensor,
  refusalOf,
  runGraph,
  runIntegerGraph,
  runnableOnnx,
  sniff,
  type Tap,
} from "@/compiler";
export { type PrecisionSubject, type PrecisionTrial, precisionTrials } from "./boardwalk";
export type {
  Conversion,
  Emulation,
  Engine,
  FillStep,
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
  type FirmwarePart,
  partsBeside,
  readArchivedArtifact,
  readFirmware,
} from "./prebuilt";
export { readModel, readSavedModel, savedModelFile } from "./read-model";
export { getEngine, listEngines } from "./registry";
export { engineVerdicts } from "./verdicts";
