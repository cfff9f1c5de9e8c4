import { Backoff } from "@/lib/common/backoff";
import { isAppError } from "@/lib/common/errors";

const damageTries = 4;

/**
 * Does a write, and again while the store is away, with growing pauses up to 5 s: an outage must not end a build that
 * runs for an hour. The signal, which the lease aborts after 10 minutes, ends it. A store that answers with other bytes
 * than it was given is asked four times.
 *
 * @param options.patienceMs How long a store may be away; left out: for as long as the signal lets it.
 * @throws What `write` throws for another reason or after that time, or what the signal carries.
 */
export async function insist<T>(
  signal: AbortSignal,
  write: () => Promise<T>,
  { patienceMs = Number.POSITIVE_INFINITY }: { readonly patienceMs?: number } = {},
): Promise<T> {
  let damage = 0;
  const begunAt = performance.now();
  const backoff = new Backoff();
  for (;;) {
    signal.throwIfAborted();
    try {
      return await write();
    } catch (error) {
      const reason = isAppError(error) ? error.reason : null;
      const again =
        (reason === "STORE_UNAVAILABLE" && performance.now() - begunAt < patienceMs) ||
        (reason === "OBJECT_DAMAGED" && ++damage < damageTries);
      if (!again) throw error;
      await backoff.wait(signal);
    }
  }
}
