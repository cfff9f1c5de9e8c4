import { database } from "@/lib/server/db";
import type { OutboxRow } from "./types";

/** Jobs that wait to be put on the queue, oldest first. */
export async function takeOutbox(limit: number): Promise<readonly OutboxRow[]> {
  return await database().$queryRaw<OutboxRow[]>`
    SELECT id, queue, job_id AS "jobId", payload FROM outbox
    WHERE published_at IS NULL ORDER BY id LIMIT ${limit}`;
}
