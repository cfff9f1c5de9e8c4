import { setTimeout as delay } from "node:timers/promises";
import { isAppError } from "@/lib/common/errors";

/**
 * Does a write, and again while the store is away, with growing pauses up to 5 s: an outage must not end a build that
 * runs for an hour. The signal, which the lease aborts after 10 minutes, ends it.
 *
 * @throws What `write` throws for another reason, or what the signal carries.
 */
export async function insist<T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> {
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 5000)) {
    signal.throwIfAborted();
    try {
      return await write();
    } catch (error) {
      if (!isAppError(error) || error.reason !== "STORE_UNAVAILABLE") throw error;
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}
