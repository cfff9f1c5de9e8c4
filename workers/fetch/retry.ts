import { setTimeout as delay } from "node:timers/promises";
import { isAppError } from "@/lib/common/errors";

export interface RetryOptions {
  /** No try begins later than this after the first. */
  readonly forMs: number;
  readonly firstWaitMs?: number | undefined;
  readonly signal: AbortSignal;
}

const worthIt = new Set([
  "SOURCE_UNAVAILABLE",
  "SOURCE_TRUNCATED",
  "STORE_UNAVAILABLE",
  "OBJECT_DAMAGED",
]);
const longestWaitMs = 15_000;

/** Tries again while the fault may pass by itself, waiting twice as long each time, with jitter. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { forMs, firstWaitMs = 500, signal }: RetryOptions,
): Promise<T> {
  const startedAt = performance.now();
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
    try {
      return await attempt();
    } catch (error) {
      const pause = waitMs * (0.75 + Math.random() / 2);
      const isOver = performance.now() - startedAt + pause > forMs;
      if (!isAppError(error) || !worthIt.has(error.reason) || isOver) throw error;
      await delay(pause, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }
}
