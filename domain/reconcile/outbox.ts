import { buildJobId, enqueueAgain } from "@/domain/builds";
import { inspectionJobId } from "@/domain/models";
import { enqueue } from "@/domain/outbox";
import { database, withTransaction } from "@/lib/server/db";

interface Waiting {
  readonly queue: "build" | "inspect";
  readonly id: string;
  readonly jobs: number;
}

/**
 * Gives a new job to what has waited for `olderThanS` though its job was published, unless that job is still in the queue:
 * Redis may have been emptied or restored from an old snapshot (R14). Answers how many got one.
 *
 * @param isLive Whether the queue still holds a job that will be delivered.
 */
export async function republishOutbox(
  isLive: (queue: Waiting["queue"], jobId: string) => Promise<boolean>,
  { olderThanS = 10 }: { readonly olderThanS?: number } = {},
): Promise<number> {
  let published = 0;
  for (const waiting of await listWaiting(olderThanS)) {
    if (await isLive(waiting.queue, jobIdOf(waiting))) continue;
    if (await giveJob(waiting)) published++;
  }
  return published;
}

async function listWaiting(olderThanS: number): Promise<readonly Waiting[]> {
  return await database().$queryRaw<Waiting[]>`
    WITH waiting AS (
      SELECT 'build' AS queue, id, jobs, 'build-' || id || '-' || jobs AS job_id FROM build WHERE state = 'queued'
      UNION ALL
      SELECT 'inspect', id, jobs, 'inspect-' || id || '-' || jobs FROM inspection WHERE state = 'queued'
    )
    SELECT w.queue, w.id, w.jobs FROM waiting w
    WHERE NOT EXISTS (
      SELECT 1 FROM outbox o WHERE o.job_id = w.job_id
        AND (o.published_at IS NULL OR o.published_at > now() - make_interval(secs => ${olderThanS}::float8)))
    ORDER BY w.id LIMIT 100`;
}

const jobIdOf = ({ queue, id, jobs }: Waiting): string =>
  queue === "build" ? buildJobId(id, jobs) : inspectionJobId(id, jobs);

/** A new job, if the row still waits with the job that was looked for. */
async function giveJob({ queue, id, jobs }: Waiting): Promise<boolean> {
  return await withTransaction(async (tx) => {
    if (queue === "build") {
      const [row] = await tx.$queryRaw<object[]>`
        SELECT 1 FROM build WHERE id = ${id}::uuid AND state = 'queued' AND jobs = ${jobs} FOR UPDATE`;
      if (row) await enqueueAgain(tx, id);
      return row !== undefined;
    }
    const changed = await tx.$executeRaw`
      UPDATE inspection SET jobs = jobs + 1 WHERE id = ${id}::uuid AND state = 'queued' AND jobs = ${jobs}`;
    if (changed === 1)
      await enqueue(tx, {
        queue: "inspect",
        jobId: inspectionJobId(id, jobs + 1),
        payload: { inspectionId: id },
      });
    return changed === 1;
  });
}
