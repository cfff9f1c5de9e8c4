export { listForecastErrors } from "./queries";
