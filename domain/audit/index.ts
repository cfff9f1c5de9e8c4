export { audit } from "./audit";
export type { Finding } from "./types";
