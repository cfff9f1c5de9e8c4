const firstMs = 100;
/** What lived so long counts as well again. */
const steadyMs = 10_000;

/** Longest time that something which ended is started again without once coming up, before the launcher gives up on it. */
export const patienceMs = Number(process.env.RESTART_PATIENCE_S || 180) * 1000;

/**
 * The pauses between the starts of something that ends again and again.
 *
 * @param {object} [options]
 * @param {number} [options.mostMs] The longest of them.
 */
export function backOff({ mostMs = 5000 } = {}) {
  let startedAt = performance.now();
  let failingSince = null;
  let waitMs = firstMs;
  return {
    started() {
      startedAt = performance.now();
    },
    /**
     * It ended; `nextMs` is null once it has been leaving by itself for longer than anybody waits. What was killed from
     * outside could well run, so that it does not count.
     */
    ended(signal) {
      const now = performance.now();
      if (now - startedAt > steadyMs) waitMs = firstMs;
      if (signal || now - startedAt > steadyMs) failingSince = null;
      const nextMs = waitMs;
      waitMs = Math.min(waitMs * 2, mostMs);
      if (!signal) failingSince ??= now;
      return {
        first: nextMs === firstMs,
        nextMs: failingSince !== null && now - failingSince > patienceMs ? null : nextMs,
      };
    },
  };
}
