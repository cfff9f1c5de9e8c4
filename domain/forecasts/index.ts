export { getEqualBuilds } from "./equal";
export { listForecastDeviations } from "./queries";
