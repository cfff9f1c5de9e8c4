import { database } from "@/lib/server/db";
import type { OutboxRow } from "./types";

/** Jobs that wait to be put on the queue, oldest first. */
export async function takeOutbox(limit: number): Promise<readonly OutboxRow[]> {
  return await database().$queryRaw<OutboxRow[]>`
    SELECT id, queue, job_id AS "jobId", payload FROM outbox
    WHERE published_at IS NULL ORDER BY id LIMIT ${limit}`;
}

/** A job stays here for a moment; one that stays for longer waits for a queue that is away. */
const patienceS = 10;

/** Whether jobs are not put on the queue, because it is away or nobody does so. */
export async function isQueueAway(): Promise<boolean> {
  const [row] = await database().$queryRaw<{ away: boolean }[]>`
    SELECT EXISTS (SELECT FROM outbox WHERE published_at IS NULL
      AND created_at < now() - make_interval(secs => ${patienceS})) AS away`;
  return row?.away ?? false;
}
