export { levelOf } from "./level";
export { createPipeline, type Pipeline } from "./pipeline";
export { LogWriter, type NewLine } from "./writer";
