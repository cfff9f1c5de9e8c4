export { reportBuildWorker, withdrawBuildWorker } from "./commands";
export {
  type AliveWorker,
  isAnyWorkerUp,
  lastWorkerSeenAt,
  listAliveWorkers,
  listBuildWorkers,
} from "./queries";
