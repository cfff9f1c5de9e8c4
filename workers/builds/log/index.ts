export { holdLog, type Log } from "./hold-log";
export { levelOf } from "./level";
export { createPipeline } from "./pipeline";
export { type LineSpan, LogWriter, type NewLine } from "./writer";
