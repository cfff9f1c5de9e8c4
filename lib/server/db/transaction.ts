import { Backoff } from "@/lib/common/backoff";
import { connectTimeoutMs, database, type Tx } from "./client";
import { isRetryable, toStoreError } from "./errors";

const maxAttempts = 4;

/**
 * Runs reads and writes as one transaction, and again (up to three times, with jitter) after a serialization failure or
 * deadlock. `run` must therefore touch nothing but the transaction.
 *
 * @throws {AppError} `STORE_UNAVAILABLE` when the database is away.
 */
export async function withTransaction<T>(
  run: (tx: Tx) => Promise<T>,
  { timeoutMs = 10_000 }: { readonly timeoutMs?: number } = {},
): Promise<T> {
  const backoff = new Backoff({ firstMs: 20, mostMs: 100 });
  for (let attempt = 1; ; attempt++) {
    try {
      return await database().$transaction(run, {
        maxWait: connectTimeoutMs,
        timeout: timeoutMs,
      });
    } catch (error) {
      if (attempt >= maxAttempts || !isRetryable(error)) throw toStoreError(error);
      await backoff.wait();
    }
  }
}
