export { type ControlLoopOptions, type PortalAnswer, startControlLoop } from "./control-loop";
export { loadIdentity } from "./identity";
export { Journal, type JournalState } from "./journal";
export { Portal } from "./portal";
export { syncFolder } from "./write-durably";
