export { levelOf } from "./level";
export { createPipeline } from "./pipeline";
export { LogWriter } from "./writer";
