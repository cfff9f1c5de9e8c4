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
  Engine,
  Outcome,
  ParsedModel,
  Plan,
  PlanHead,
  PlanRequest,
  ProductRole,
  Products,
  SavedModelFolder,
  SimulationStep,
  Step,
  TimingVerdict,
  ToolStep,
  Variant,
  Verdict,
} from "./engine";
export { readModel, readSavedModel, savedModelFile } from "./read-model";
export { engines, getEngine, listEngines } from "./registry";
export { engineVerdicts } from "./verdicts";
