import { setTimeout as delay } from "node:timers/promises";
import { Backoff } from "@/lib/common/backoff";
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

/** Tries again while the fault may pass by itself, with growing pauses. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { forMs, firstWaitMs = 500, signal }: RetryOptions,
): Promise<T> {
  const startedAt = performance.now();
  const backoff = new Backoff({ firstMs: firstWaitMs, mostMs: longestWaitMs });
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = backoff.nextMs();
      const isOver = performance.now() - startedAt + pauseMs > forMs;
      if (!isAppError(error) || !worthIt.has(error.reason) || isOver) throw error;
      await delay(pauseMs, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }
}
