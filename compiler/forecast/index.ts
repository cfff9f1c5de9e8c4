export { precisions, weightBitsOf } from "../passes/precision";
export { fractionFor } from "../passes/quantize-weights";
export { type Lacking, lackingOf } from "../target/lacking";
export { shellCells } from "../target/shell";
export { usableCells } from "../target/usable-cells";
export { buildSeconds } from "./build-seconds";
export { type FitCandidates, fitCandidates, fitsThatHold, largerBoards } from "./fit-candidates";
export { forecast } from "./forecast";
export { learn } from "./learn";
export { bytesOnLine } from "./line";
export { forecastOn } from "./on-board";
export type {
  Estimate,
  FittingForecast,
  Forecast,
  ForecastRequest,
  LackingForecast,
} from "./types";
