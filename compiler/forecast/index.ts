export { precisions } from "../precision";
export { usableCells } from "../schedule";
export { buildSeconds } from "./build-seconds";
export { type FitCandidates, fitCandidates, fitsThatHold } from "./fit-candidates";
export {
  type Estimate,
  type Forecast,
  type ForecastRequest,
  forecast,
  nearestSizes,
} from "./forecast";
export { learn } from "./learn";
