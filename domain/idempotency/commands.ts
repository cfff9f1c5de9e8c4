import type { Scope } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database, type Tx, withTransaction } from "@/lib/server/db";
import { digestOfJson } from "@/lib/server/digest";

/** An answer as it is kept under its key. */
export interface Answer {
  readonly status: number;
  readonly answer: unknown;
}

/** What a key was answered with before, or null. @throws {AppError} As `withIdempotency`. */
export async function recallAnswer(
  scope: Scope,
  key: string | null,
  body: unknown,
): Promise<Answer | null> {
  if (key === null) return null;
  checkKey(key);
  return await recall(database(), { scope, key, bodySha256: digestOfJson(body) });
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
  checkKey(key);
  const bodySha256 = digestOfJson(body);

  return await withTransaction(async (tx) => {
    const [lock] = await tx.$queryRaw<{ held: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(hashtextextended(${`${scope} ${key}`}, 0)) AS held`;
    if (!lock?.held)
      throw fail("IDEMPOTENCY_IN_FLIGHT", "A request with this key is being done.", {
        hint: "Send it again in a second.",
        details: { retryAfterS: 1 },
      });
    const before = await recall(tx, { scope, key, bodySha256 });
    if (before) return before;
    const { status, answer } = await run(tx);
    await tx.idempotencyKey.create({
      data: { projectId: scope, key, bodySha256, status, answer: answer as object },
    });
    return { status, answer };
  });
}

function checkKey(key: string): void {
  if (!keyPattern.test(key))
    throw fail("IDEMPOTENCY_KEY_INVALID", "An Idempotency-Key is 1 to 128 of A-Z a-z 0-9 _ -.");
}

async function recall(
  db: Pick<Tx, "idempotencyKey">,
  { scope, key, bodySha256 }: { scope: Scope; key: string; bodySha256: string },
): Promise<Answer | null> {
  const before = await db.idempotencyKey.findUnique({
    where: { projectId_key: { projectId: scope, key } },
  });
  if (!before?.status) return null;
  if (before.bodySha256 !== bodySha256)
    throw fail("IDEMPOTENCY_KEY_REUSED", "This key was used with another body.", {
      hint: "Take a new key for a new request.",
    });
  return { status: before.status, answer: before.answer };
}
