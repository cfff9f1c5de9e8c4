export { getEqualBuilds } from "./equal";
export { listForecastErrors } from "./queries";
