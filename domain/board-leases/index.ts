export { extendLease, releaseLease, takeLease } from "./commands";
export { reconcileLeases } from "./expire";
export { loadOnLease, unloadOnLease } from "./firmware";
export type { Asker } from "./locked-board";
export { getLease, listLeases, listWaits } from "./queries";
export { joinWaiting, leaveWaiting } from "./waiting";
