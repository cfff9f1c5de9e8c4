export { keepLease } from "./lease";
export { defineProcessor, type JobContext, type Processor } from "./processor";
export { startWorker, type WorkerHandle } from "./worker";
