import { database, type Tx } from "@/lib/server/db";
import type { OutboxRow } from "./types";

/** Writes a job beside the row it is about; the relay puts it on the queue after the commit. */
export async function enqueue(tx: Tx, job: Omit<OutboxRow, "id">): Promise<void> {
  await tx.outbox.create({ data: { queue: job.queue, jobId: job.jobId, payload: job.payload } });
}

/** Marks jobs as put on the queue. Whoever dies before this puts them there again, which the claim makes harmless. */
export async function markPublished(ids: readonly bigint[]): Promise<void> {
  await database().$executeRaw`
    UPDATE outbox SET published_at = now() WHERE id = ANY(${[...ids]}::bigint[]) AND published_at IS NULL`;
}
