import { endBuild, maxChargedAttempts as maxCharged, requeue } from "@/domain/builds";
import { isSilent } from "@/domain/leases";
import type { ErrorData } from "@/lib/common/errors";
import { database, type Sql, sql, type Tx, withTransaction } from "@/lib/server/db";

const batch = 100;

/** Attempts whose worker fell silent: back into the queue, or failed once that happened too often. Answers how many. */
export async function expireLeases(): Promise<number> {
  const silent = sql`${isSilent("build")} AND b.cancel_requested_at IS NULL`;
  return await each(silent, async (tx, buildId) => {
    const again = await requeue(tx, {
      buildId,
      actor: "reconciler",
      reason: "LEASE_LOST",
      where: sql`${silent} AND b.charged_attempts < ${maxCharged}`,
      charge: true,
    });
    if (again) return true;
    return await endBuild(tx, {
      buildId,
      state: "failed",
      actor: "reconciler",
      problem: leaseLost,
      where: silent,
    });
  });
}

const leaseLost: ErrorData = {
  code: "aborted",
  reason: "LEASE_LOST",
  message: `The worker was lost ${maxCharged + 1} times while building.`,
  hint: "Look for what stops the build workers, then repeat the build.",
};

/** Past its deadline, and its worker has not ended it within ten seconds. */
const overdue = sql`b.deadline_at < now() - interval '10 seconds'`;

/** Builds whose end was asked for and whom no worker holds, or whose worker does nothing about it: cancelled. */
export async function cancelOrphans(): Promise<number> {
  const orphaned = sql`b.cancel_requested_at IS NOT NULL AND b.ended_at IS NULL
    AND (b.state = 'queued' OR b.lease_until < now() OR ${overdue})`;
  return await each(orphaned, (tx, buildId) =>
    endBuild(tx, {
      buildId,
      state: "cancelled",
      actor: "reconciler",
      problem: { code: "cancelled", reason: "CANCELLED", message: "Cancelled." },
      where: orphaned,
    }),
  );
}

/** Attempts past their deadline that nobody asked to end before. */
export async function endDeadlines(): Promise<number> {
  const late = sql`b.state IN ('preparing', 'running') AND ${overdue} AND b.cancel_requested_at IS NULL`;
  return await each(late, (tx, buildId) =>
    endBuild(tx, {
      buildId,
      state: "timed_out",
      actor: "reconciler",
      problem: {
        code: "deadline_exceeded",
        reason: "BUILD_TIMED_OUT",
        message: "The build took longer than it may.",
      },
      where: late,
    }),
  );
}

/** Finds builds by a condition and repairs each in a transaction of its own that checks the condition again. */
async function each(
  where: Sql,
  repair: (tx: Tx, buildId: string) => Promise<boolean>,
): Promise<number> {
  const rows = await database().$queryRaw<{ id: string }[]>`
    SELECT b.id FROM build b WHERE ${where} ORDER BY b.id LIMIT ${batch}`;
  let repaired = 0;
  for (const { id } of rows) if (await withTransaction((tx) => repair(tx, id))) repaired++;
  return repaired;
}
