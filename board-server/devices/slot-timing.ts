import type { Timing } from "@/lib/common/contract";
import type { DeviceTiming } from "./device";

/** What a slot says of the time of a call, in whole nanoseconds. @param queuedNs How long the call waited for its turn. */
export function slotTiming(queuedNs: number, timing: DeviceTiming): Timing {
  const { hostNs, computeNs, cycles, clockHz, simulated } = timing;
  return {
    boardQueueNs: Math.round(queuedNs),
    hostNs: Math.round(hostNs),
    computeNs: Math.round(computeNs),
    ...(cycles === undefined ? {} : { cycles }),
    ...(clockHz === undefined ? {} : { clockHz }),
    ...(simulated ? { simulated: true } : {}),
  };
}
