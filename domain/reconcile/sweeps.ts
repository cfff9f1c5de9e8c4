import { database } from "@/lib/server/db";

/** Answers to idempotency keys are kept for 24 hours. */
export async function sweepIdempotency(): Promise<number> {
  return await database().$executeRaw`
    DELETE FROM idempotency_key WHERE created_at < now() - interval '24 hours'`;
}

/** Events are kept for 24 hours; once-keys with them, since an ended build can tell of its end no more. */
export async function sweepEvents(): Promise<number> {
  return await database()
    .$executeRaw`DELETE FROM event WHERE created_at < now() - interval '24 hours'`;
}

/** Published jobs are kept for an hour longer than the queue may look for them. */
export async function sweepOutbox(): Promise<number> {
  return await database().$executeRaw`
    DELETE FROM outbox o WHERE o.published_at < now() - interval '1 hour'
      AND NOT EXISTS (SELECT 1 FROM build b WHERE b.state = 'queued' AND o.payload ->> 'buildId' = b.id::text)
      AND NOT EXISTS (SELECT 1 FROM inspection i WHERE i.state = 'queued' AND o.payload ->> 'inspectionId' = i.id::text)`;
}
