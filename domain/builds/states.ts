import type { BuildState } from "@/lib/common/contract";
import { keysOf } from "@/lib/common/records";

/** Where a build may go from each state; the check `transition_legal` of the migrations says the same. */
export const allowedTransitions = {
  queued: ["preparing", "failed", "cancelled", "timed_out"],
  preparing: ["running", "succeeded", "queued", "failed", "cancelled", "timed_out"],
  running: ["succeeded", "queued", "failed", "cancelled", "timed_out"],
  succeeded: [],
  failed: [],
  cancelled: [],
  timed_out: [],
} as const satisfies Record<BuildState, readonly BuildState[]>;

/** States from which a build may go to this one. */
export function statesBefore(to: BuildState): readonly BuildState[] {
  return keysOf(allowedTransitions).filter((from) => {
    const next: readonly BuildState[] = allowedTransitions[from];
    return next.includes(to);
  });
}
