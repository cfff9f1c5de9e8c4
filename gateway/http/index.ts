export { defaultMaxBodyBytes } from "./body";
export { startHttpServer } from "./server";
