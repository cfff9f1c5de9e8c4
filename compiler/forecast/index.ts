export {
  type Estimate,
  type Forecast,
  type ForecastRequest,
  forecast,
  nearestSizes,
} from "./forecast";
