export { getBuiltBoards, getEqualBuilds } from "./equal";
export { listForecastDeviations } from "./queries";
