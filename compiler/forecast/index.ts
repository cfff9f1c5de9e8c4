export { precisions } from "../precision";
export {
  type Estimate,
  type Forecast,
  type ForecastRequest,
  forecast,
  nearestSizes,
} from "./forecast";
