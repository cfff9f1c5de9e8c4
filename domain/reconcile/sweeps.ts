import { keysOf } from "@/lib/common/records";
import { database, type Sql, sql } from "@/lib/server/db";

/** Rows that one statement deletes, and statements that one sweep makes: what is left is for the next. */
const batch = 1000;
const maxBatches = 100;

/**
 * What grows with what callers do, and when a row of it has done its work, by the database's clock. Every other table is
 * the record of what was asked and made, or grows with the installation alone.
 */
const sweeps = {
  /** Answers to idempotency keys are kept for 24 hours. */
  idempotency_key: (limit) => sql`DELETE FROM idempotency_key WHERE ctid IN (
    SELECT t.ctid FROM idempotency_key t WHERE created_at < now() - interval '24 hours' LIMIT ${limit})`,
  /** Events likewise; once-keys with them, since an ended build can tell of its end no more. */
  event: (limit) => sql`DELETE FROM event WHERE ctid IN (
    SELECT t.ctid FROM event t WHERE created_at < now() - interval '24 hours' LIMIT ${limit})`,
  /** Published jobs are kept for an hour longer than the queue may look for them. */
  outbox: (limit) => sql`DELETE FROM outbox WHERE ctid IN (
    SELECT t.ctid FROM outbox t WHERE published_at < now() - interval '1 hour'
    AND NOT EXISTS (SELECT 1 FROM build b WHERE b.state = 'queued' AND t.payload ->> 'buildId' = b.id::text)
    AND NOT EXISTS (SELECT 1 FROM inspection i WHERE i.state = 'queued' AND t.payload ->> 'inspectionId' = i.id::text) LIMIT ${limit})`,
  /** What a worker found in a model, rows or a search: its asker has long read it. */
  inspection: (limit) => sql`DELETE FROM inspection WHERE ctid IN (
    SELECT t.ctid FROM inspection t WHERE ended_at < now() - interval '7 days' LIMIT ${limit})`,
  /** One that stopped takes its row along; this is of those that were killed. */
  build_worker: (limit) => sql`DELETE FROM build_worker WHERE ctid IN (
    SELECT t.ctid FROM build_worker t WHERE seen_at < now() - interval '1 day' LIMIT ${limit})`,
  /** A gateway says every minute that it is up; one that starts again after that is let in anew. */
  gateway: (limit) => sql`DELETE FROM gateway WHERE ctid IN (
    SELECT t.ctid FROM gateway t WHERE seen_at < now() - interval '1 day' LIMIT ${limit})`,
  /** What was sent, or could not be: a month later nobody asks. */
  delivery: (limit) => sql`DELETE FROM delivery WHERE ctid IN (
    SELECT t.ctid FROM delivery t WHERE ended_at < now() - interval '30 days' LIMIT ${limit})`,
  enrolment: (limit) => sql`DELETE FROM enrolment WHERE ctid IN (
    SELECT t.ctid FROM enrolment t WHERE expires_at < now() - interval '1 day' LIMIT ${limit})`,
  /** Of objects that are gone or named: those of orphans are deleted with them. */
  object_hold: (limit) => sql`DELETE FROM object_hold WHERE ctid IN (
    SELECT t.ctid FROM object_hold t WHERE until < now() - interval '7 days' LIMIT ${limit})`,
  /** Simulated boards go with their endpoint; a while later nobody asks what they were. */
  board: (limit) => sql`DELETE FROM board WHERE ctid IN (
    SELECT t.ctid FROM board t WHERE kind = 'simulated' AND removed_at < now() - interval '30 days' LIMIT ${limit})`,
  /** Made of minutes, which go by being added up. */
  traffic_hour: (limit) => sql`DELETE FROM traffic_hour WHERE ctid IN (
    SELECT t.ctid FROM traffic_hour t WHERE at < now() - interval '30 days' LIMIT ${limit})`,
  request_record: (limit) => sql`DELETE FROM request_record WHERE ctid IN (
    SELECT t.ctid FROM request_record t WHERE at < now() - interval '30 days' LIMIT ${limit})`,
  endpoint_log: (limit) => sql`DELETE FROM endpoint_log WHERE ctid IN (
    SELECT t.ctid FROM endpoint_log t WHERE at < now() - interval '30 days' LIMIT ${limit})`,
  /** A month is shown of it; a while longer, so that the month is whole. */
  board_history: (limit) => sql`DELETE FROM board_history WHERE ctid IN (
    SELECT t.ctid FROM board_history t WHERE created_at < now() - interval '35 days' LIMIT ${limit})`,
  /** A deleted one can be brought back for a day. */
  recipe: (limit) => sql`DELETE FROM recipe WHERE ctid IN (
    SELECT t.ctid FROM recipe t WHERE deleted_at < now() - interval '24 hours' LIMIT ${limit})`,
  /** Good for nothing: a month later nobody asks what it was. */
  token: (limit) => sql`DELETE FROM token WHERE ctid IN (
    SELECT t.ctid FROM token t WHERE least(revoked_at, expires_at) < now() - interval '30 days' LIMIT ${limit})`,
  /** Nobody comes back to them. */
  session: (limit) => sql`DELETE FROM session WHERE ctid IN (
    SELECT t.ctid FROM session t WHERE expires_at < now() - interval '1 day' LIMIT ${limit})`,
  /** Taken or past: a month later nobody asks who was invited. */
  invitation: (limit) => sql`DELETE FROM invitation WHERE ctid IN (
    SELECT t.ctid FROM invitation t WHERE least(accepted_at, expires_at) < now() - interval '30 days' LIMIT ${limit})`,
  /** Good for ten minutes. */
  sign_in_attempt: (limit) => sql`DELETE FROM sign_in_attempt WHERE ctid IN (
    SELECT t.ctid FROM sign_in_attempt t WHERE expires_at < now() - interval '1 hour' LIMIT ${limit})`,
  /** The database refuses to let go of younger ones. */
  audit_entry: (limit) => sql`DELETE FROM audit_entry WHERE ctid IN (
    SELECT t.ctid FROM audit_entry t WHERE at < now() - interval '1 year' LIMIT ${limit})`,
  /** Who had a board is shown in its calendar for a while; their loads go with them. */
  lease: (limit) => sql`DELETE FROM lease WHERE ctid IN (
    SELECT t.ctid FROM lease t WHERE released_at < now() - interval '35 days' LIMIT ${limit})`,
  lease_wait: (limit) => sql`DELETE FROM lease_wait WHERE ctid IN (
    SELECT t.ctid FROM lease_wait t WHERE ended_at < now() - interval '7 days' LIMIT ${limit})`,
  /** Whoever asked has heard the end. */
  lease_call: (limit) => sql`DELETE FROM lease_call WHERE ctid IN (
    SELECT t.ctid FROM lease_call t WHERE ended_at < now() - interval '1 minute' LIMIT ${limit})`,
  board_task: (limit) => sql`DELETE FROM board_task WHERE ctid IN (
    SELECT t.ctid FROM board_task t WHERE ended_at < now() - interval '7 days' LIMIT ${limit})`,
} as const satisfies Readonly<Record<string, (limit: number) => Sql>>;

/** A table of which rows go by themselves. */
export type SweptTable = keyof typeof sweeps;

/** The tables of which rows go by themselves. */
export const sweptTables = keysOf(sweeps);

/** Deletes what a table keeps no longer, in batches. Answers how many rows. */
export async function sweepTable(
  table: SweptTable,
  { limit = batch, batches = maxBatches } = {},
): Promise<number> {
  let swept = 0;
  for (let n = 0; n < batches; n++) {
    const gone = await database().$executeRaw`${sweeps[table](limit)}`;
    swept += gone;
    if (gone < limit) break;
  }
  return swept;
}
