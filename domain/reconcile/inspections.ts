import { inspectionJobId } from "@/domain/models";
import { enqueue } from "@/domain/outbox";
import { database, withTransaction } from "@/lib/server/db";

const maxClaims = 3;

/** Inspections whose worker fell silent: to another one, or failed after three. Answers how many. */
export async function expireInspections(): Promise<number> {
  const problem = JSON.stringify({
    code: "deadline_exceeded",
    reason: "INSPECTION_TIMED_OUT",
    message: "Looking at this model stopped the worker each time.",
  });
  const failed = await database().$executeRaw`
    UPDATE inspection SET state = 'failed', problem = ${problem}::jsonb, ended_at = now(), lease_until = NULL
    WHERE state = 'running' AND lease_until < now() AND lease_epoch >= ${maxClaims}`;
  const again = await withTransaction(async (tx) => {
    const rows = await tx.$queryRaw<{ id: string; jobs: number }[]>`
      UPDATE inspection SET state = 'queued', lease_until = NULL, jobs = jobs + 1 WHERE id IN (
        SELECT id FROM inspection WHERE state = 'running' AND lease_until < now()
        ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED)
      RETURNING id, jobs`;
    for (const { id, jobs } of rows)
      await enqueue(tx, {
        queue: "inspect",
        jobId: inspectionJobId(id, jobs),
        payload: { inspectionId: id },
      });
    return rows.length;
  });
  return failed + again;
}
