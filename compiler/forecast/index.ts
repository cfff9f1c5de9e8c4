export { precisions } from "../precision";
export { buildSeconds } from "./build-seconds";
export {
  type Estimate,
  type Forecast,
  type ForecastRequest,
  forecast,
  nearestSizes,
} from "./forecast";
export { learn } from "./learn";
