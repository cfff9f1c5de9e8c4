import { setTimeout as delay } from "node:timers/promises";
import { type LeaseState, renewLease } from "@/domain/builds";
import { type AppError, fail } from "@/lib/common/errors";

export interface LeaseOptions {
  readonly buildId: string;
  readonly epoch: number;
  readonly leaseS: number;
  readonly renewS: number;
  /** How long the build goes on without a word from the database. */
  readonly patienceMs?: number;
  /** Called once, when the attempt must end. */
  readonly onEnd: (why: AppError) => void;
}

/**
 * Keeps a claim alive. A renewal that fails ends nothing: an hour-long tool outlives a restart of the database. A newer
 * epoch, a wanted cancel, a passed deadline or ten minutes of silence do.
 */
export function keepLease(options: LeaseOptions): { close(): void } {
  const { buildId, epoch, leaseS, renewS, patienceMs = 600_000, onEnd } = options;
  const stop = new AbortController();
  const run = async () => {
    let heldAt = performance.now();
    while (!stop.signal.aborted) {
      await delay(renewS * 1000, undefined, { signal: stop.signal, ref: false });
      try {
        const why = endOf(await renewLease(buildId, epoch, leaseS));
        heldAt = performance.now();
        if (why) return onEnd(why);
      } catch {
        if (performance.now() - heldAt > patienceMs) {
          return onEnd(fail("LEASE_LOST", "The database was away for too long."));
        }
      }
    }
  };
  run().catch(() => {});
  return { close: () => stop.abort() };
}

function endOf({ held, cancelRequested, deadlinePassed }: LeaseState): AppError | null {
  if (!held) return fail("LEASE_LOST", "Another attempt has this build, or it has ended.");
  if (cancelRequested) return fail("CANCELLED", "Cancelled.");
  if (deadlinePassed) return fail("BUILD_TIMED_OUT", "The build took longer than it may.");
  return null;
}
