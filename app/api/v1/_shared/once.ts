import { recallAnswer, withIdempotency } from "@/domain/idempotency";
import type { Scope } from "@/lib/common/contract";
import type { Tx } from "@/lib/server/db";

interface Creating {
  readonly scope: Scope;
  readonly idempotencyKey: string | null;
  readonly body: unknown;
}

/**
 * Does a creating request once per `Idempotency-Key`. `prepare` checks and may read; the write that it answers runs in one
 * transaction with the key.
 */
export async function once<T>(
  { scope, idempotencyKey, body }: Creating,
  status: number,
  prepare: () => Promise<(tx: Tx) => Promise<T>>,
): Promise<T> {
  const before = await recallAnswer(scope, idempotencyKey, body);
  if (before) return before.answer as T;
  const write = await prepare();
  const { answer } = await withIdempotency(scope, idempotencyKey, body, async (tx) => ({
    status,
    answer: await write(tx),
  }));
  return answer as T;
}
