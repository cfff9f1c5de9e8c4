export { extendLease, releaseLease, takeLease } from "./commands";
export { getHeldLease, type HeldLease } from "./held-lease";
export { loadOnLease, unloadOnLease } from "./load-on-lease";
export { type Asker, acceptLease } from "./locked-board";
export { getLease, listLeases, listPassedOn, listWaits } from "./queries";
export { reconcileLeases } from "./reconcile-leases";
export { joinWaiting, leaveWaiting } from "./waiting";
