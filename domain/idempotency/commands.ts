import type { Scope } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { type Tx, withTransaction } from "@/lib/server/db";
import { digestOfJson } from "@/lib/server/digest";

export interface Answer {
  readonly status: number;
  readonly answer: unknown;
}

const keyPattern = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * Does a creating request once per key: the first runs and its answer is kept with what it made, in one transaction; the
 * same request again gets that answer.
 *
 * @param key Null: every call runs.
 * @param run Must touch nothing but the transaction.
 * @throws {AppError} `IDEMPOTENCY_KEY_INVALID`; `IDEMPOTENCY_KEY_REUSED` for another body; `IDEMPOTENCY_IN_FLIGHT` while
 *   the first still runs.
 */
export async function withIdempotency(
  scope: Scope,
  key: string | null,
  body: unknown,
  run: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  if (key === null) return await withTransaction(run);
  if (!keyPattern.test(key))
    throw fail("IDEMPOTENCY_KEY_INVALID", "An Idempotency-Key is 1 to 128 of A-Z a-z 0-9 _ -.");
  const bodySha256 = digestOfJson(body);

  return await withTransaction(async (tx) => {
    const [lock] = await tx.$queryRaw<{ held: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(hashtextextended(${`${scope} ${key}`}, 0)) AS held`;
    if (!lock?.held)
      throw fail("IDEMPOTENCY_IN_FLIGHT", "A request with this key is being done.", {
        hint: "Send it again in a second.",
        details: { retryAfterS: 1 },
      });
    const before = await tx.idempotencyKey.findUnique({
      where: { projectId_key: { projectId: scope, key } },
    });
    if (before && before.bodySha256 !== bodySha256)
      throw fail("IDEMPOTENCY_KEY_REUSED", "This key was used with another body.", {
        hint: "Take a new key for a new request.",
      });
    if (before?.status) return { status: before.status, answer: before.answer };

    const { status, answer } = await run(tx);
    await tx.idempotencyKey.create({
      data: { projectId: scope, key, bodySha256, status, answer: answer as object },
    });
    return { status, answer };
  });
}
