export { defaultMaxBodyBytes } from "./body";
export { startMetricsServer } from "./metrics-server";
export { startHttpServer } from "./server";
