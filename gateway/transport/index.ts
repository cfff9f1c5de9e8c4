export { createFrameLink } from "./frame-link";
export { startProbe } from "./probe";
