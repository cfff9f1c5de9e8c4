import { setTimeout as delay } from "node:timers/promises";
import { type AppError, fail } from "@/lib/common/errors";

export interface LeaseOptions {
  /** Pause between two renewals, in seconds. */
  readonly renewS: number;
  /** How long the work goes on without a word from the database. */
  readonly patienceMs?: number;
  /** Renews the claim, and says why the work must end; null: it goes on. Throws while the database is away. */
  readonly renew: () => Promise<AppError | null>;
  /** Called once, when the work must end. */
  readonly onEnd: (why: AppError) => void;
}

/**
 * Keeps a claim alive until it is closed. A renewal that fails ends nothing: an hour-long tool outlives a restart of the
 * database. What the database says, or ten minutes of its silence, do.
 */
export function keepLease(options: LeaseOptions): { close(): void } {
  const { renewS, renew, onEnd, patienceMs = 600_000 } = options;
  const stop = new AbortController();
  const run = async () => {
    let heldAt = performance.now();
    while (!stop.signal.aborted) {
      await delay(renewS * 1000, undefined, { signal: stop.signal, ref: false });
      try {
        const why = await renew();
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
