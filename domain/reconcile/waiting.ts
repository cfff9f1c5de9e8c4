import { database } from "@/lib/server/db";

/** Whether work has waited in a queue for a minute: a worker that hears of none then listens to a dead connection. */
export async function hasWaitingJobs(queue: "build" | "inspect"): Promise<boolean> {
  const [row] = await database().$queryRaw<{ waits: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM outbox o WHERE o.queue = ${queue} AND o.published_at < now() - interval '60 seconds' AND (
        EXISTS (SELECT 1 FROM build b WHERE b.state = 'queued' AND o.payload ->> 'buildId' = b.id::text)
        OR EXISTS (SELECT 1 FROM inspection i WHERE i.state = 'queued' AND o.payload ->> 'inspectionId' = i.id::text))
    ) AS waits`;
  return row?.waits ?? false;
}
