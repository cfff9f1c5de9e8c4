export { precisions } from "../passes/precision";
export { usableCells } from "../target/usable-cells";
export { buildSeconds } from "./build-seconds";
export { fitCandidates, fitsThatHold } from "./fit-candidates";
export { forecast } from "./forecast";
export { learn } from "./learn";
export { bytesOnLine } from "./line";
export type {
  Estimate,
  FittingForecast,
  Forecast,
  ForecastRequest,
  LackingForecast,
} from "./types";
