import type { Manifest } from "@/lib/common/contract";

type Latency = Pick<NonNullable<Manifest["core"]>, "latencyCycles" | "latencyVaries">;

/** Whether a row took the cycles that its core announces: all of them, or at most those where rows differ. */
export const keepsSchedule = (
  { latencyCycles, latencyVaries }: Latency,
  cycles: number,
): boolean => (latencyVaries === true ? cycles <= latencyCycles : cycles === latencyCycles);

/** The same in words. */
export const scheduleOf = ({ latencyCycles, latencyVaries }: Latency): string =>
  latencyVaries === true ? `at most ${latencyCycles}` : String(latencyCycles);
