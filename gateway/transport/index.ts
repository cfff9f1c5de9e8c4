export { createHttpLink } from "./http-link";
export { startProbe } from "./probe";
