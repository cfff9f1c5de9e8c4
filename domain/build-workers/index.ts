export { reportBuildWorker, withdrawBuildWorker } from "./commands";
export { isAnyWorkerUp, listBuildWorkers } from "./queries";
