export { reportBuildWorker, withdrawBuildWorker } from "./commands";
export { listBuildWorkers } from "./queries";
