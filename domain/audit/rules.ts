import { finalBuildStates } from "@/lib/common/contract";
import { type Sql, sql } from "@/lib/server/db";
import type { Invariant } from "./types";

/** One thing that must hold of rows. */
export interface Rule {
  readonly invariant: Invariant;
  /** What holds where nothing is broken. */
  readonly says: string;
  /** A row for each thing that is looked at: its `subject`, and its `fault` in words, which is null where it holds. */
  readonly rows: Sql;
  /** It speaks of what is done in time, so it holds only while the processes run. */
  readonly whileRunning?: boolean;
}

const final = sql`${[...finalBuildStates]}::text[]`;
const shownBuild = sql`'bld_' || b.id`;

/** A minute after it was due, or after the control process began to lead: by then it should have been done. */
const isLate = (due: Sql): Sql => sql`
  greatest(${due}, (SELECT updated_at FROM singleton WHERE key = 'reconciler')) < now() - interval '1 minute'`;

/** What rows alone can tell of R1 to R15. */
export const rules: readonly Rule[] = [
  {
    invariant: "R1",
    says: "a build ends once, and is over then",
    rows: sql`
      SELECT ${shownBuild} AS subject, CASE
        WHEN (b.ended_at IS NOT NULL) <> (b.state = ANY(${final})) THEN 'it is ' || b.state || ', and its end says otherwise'
        WHEN n.ends <> (b.state = ANY(${final}))::int THEN 'it is ' || b.state || ' and ended ' || n.ends || ' times'
      END AS fault
      FROM build b CROSS JOIN LATERAL (
        SELECT count(*) AS ends FROM transition t WHERE t.build_id = b.id AND t.to_state = ANY(${final})) n`,
  },
  {
    invariant: "R1",
    says: "a lease is not held by a worker that fell silent",
    whileRunning: true,
    rows: sql`
      SELECT ${shownBuild} AS subject,
        CASE WHEN ${isLate(sql`b.lease_until`)} THEN b.lease_owner || ' has been silent since ' || b.lease_until END AS fault
      FROM build b WHERE b.state IN ('preparing', 'running')`,
  },
  {
    invariant: "R2",
    says: "no state follows an end, and what is repeated has ended",
    rows: sql`
      SELECT 'transition ' || t.id AS subject,
        CASE WHEN t.from_state = ANY(${final}) THEN 'it leaves ' || t.from_state END AS fault FROM transition t
      UNION ALL
      SELECT ${shownBuild}, CASE WHEN o.ended_at IS NULL THEN 'it repeats bld_' || o.id || ', which goes on' END
      FROM build b JOIN build o ON o.id = b.retry_of_id`,
  },
  {
    invariant: "R3",
    says: "the history of a build is whole, tells its state, and its epochs never go back",
    rows: sql`
      SELECT ${shownBuild} AS subject, CASE
        WHEN h.steps = 0 THEN 'it has no history'
        WHEN h.first <> 'queued' OR h.breaks > 0 THEN 'its history has a gap'
        WHEN h.last <> b.state THEN 'its history tells ' || h.last || ', it is ' || b.state
        WHEN h.backward > 0 OR h.epoch > b.lease_epoch THEN 'the epochs of its history go back'
      END AS fault
      FROM build b CROSS JOIN LATERAL (
        SELECT count(*) AS steps, (array_agg(to_state ORDER BY id))[1] AS first, (array_agg(to_state ORDER BY id DESC))[1] AS last,
          count(*) FILTER (WHERE from_state IS DISTINCT FROM before) AS breaks,
          count(*) FILTER (WHERE epoch < epoch_before) AS backward, max(epoch) AS epoch
        FROM (
          SELECT t.*, lag(t.to_state) OVER (ORDER BY t.id) AS before, lag(t.epoch) OVER (ORDER BY t.id) AS epoch_before
          FROM transition t WHERE t.build_id = b.id) step) h`,
  },
  {
    invariant: "R4",
    says: "a plan has one sound artifact at most",
    rows: sql`
      SELECT 'plan ' || plan_digest AS subject,
        CASE WHEN count(*) FILTER (WHERE damaged_at IS NULL) > 1 THEN 'it has ' || count(*) || ' artifacts' END AS fault
      FROM artifact GROUP BY plan_digest`,
  },
  {
    invariant: "R4",
    says: "the end of a build is told once",
    rows: sql`
      SELECT ${shownBuild} AS subject, CASE WHEN count(e.seq) <> 1 THEN 'its end was told ' || count(e.seq) || ' times' END AS fault
      FROM build b LEFT JOIN event e ON e.once_key = 'build.ended:' || b.id
      WHERE b.ended_at > now() - interval '23 hours' GROUP BY b.id`,
  },
  {
    invariant: "R4",
    says: "a receiver has one delivery for the end of a build",
    rows: sql`
      SELECT d.payload #>> '{data,build,id}' AS subject,
        CASE WHEN count(*) > 1 THEN count(*) || ' deliveries were written for ' || d.target_id END AS fault
      FROM delivery d WHERE d.payload #> '{data,build,id}' IS NOT NULL
      GROUP BY d.target_id, d.payload #>> '{data,build,id}'`,
  },
  {
    invariant: "R5",
    says: "each claim of a build is one attempt, and only the newest can be under way",
    rows: sql`
      SELECT ${shownBuild} AS subject, CASE
        WHEN a.attempts <> b.lease_epoch OR a.newest <> b.lease_epoch
          THEN 'it was claimed ' || b.lease_epoch || ' times and has ' || a.attempts || ' attempts'
        WHEN a.going > (b.state IN ('preparing', 'running'))::int THEN 'it is ' || b.state || ', and an attempt goes on'
      END AS fault
      FROM build b CROSS JOIN LATERAL (
        SELECT count(*) AS attempts, coalesce(max(t.epoch), 0) AS newest, count(*) FILTER (WHERE t.ended_at IS NULL) AS going
        FROM attempt t WHERE t.build_id = b.id) a`,
  },
  {
    invariant: "R5",
    says: "an artifact was made by an attempt that succeeded, whose stages are over",
    rows: sql`
      SELECT 'attempt ' || t.epoch || ' of bld_' || t.build_id AS subject,
        CASE WHEN t.stages @> '[{"state": "running"}]' THEN 'it succeeded, and a stage runs' END AS fault
      FROM attempt t WHERE t.outcome = 'succeeded'
      UNION ALL
      SELECT 'artifact ' || a.digest,
        CASE WHEN t.outcome IS DISTINCT FROM 'succeeded' THEN 'its attempt ended as ' || coalesce(t.outcome, 'nothing') END
      FROM artifact a JOIN build b ON b.id = a.build_id LEFT JOIN attempt t ON t.build_id = a.build_id AND t.epoch = a.epoch
      WHERE b.lease_epoch > 0`,
  },
  {
    invariant: "R6",
    says: "a build that succeeded names an artifact, and a revision that of its build",
    rows: sql`
      SELECT ${shownBuild} AS subject, CASE
        WHEN b.artifact_digest IS NULL THEN 'it succeeded without an artifact'
        WHEN a.digest IS NULL AND NOT EXISTS (SELECT 1 FROM deleted_artifact d WHERE d.digest = b.artifact_digest)
          THEN 'there is no artifact ' || b.artifact_digest
      END AS fault
      FROM build b LEFT JOIN artifact a ON a.digest = b.artifact_digest WHERE b.state = 'succeeded'
      UNION ALL
      SELECT 'rev_' || r.id, CASE WHEN r.artifact_digest IS DISTINCT FROM b.artifact_digest
        THEN 'its artifact is ' || coalesce(r.artifact_digest, 'none') || ', that of its build ' || b.artifact_digest END
      FROM revision r JOIN build b ON b.id = r.build_id WHERE b.state = 'succeeded'`,
  },
  {
    invariant: "R7",
    says: "a slot that serves holds the artifact of its revision, made for its board",
    rows: sql`
      SELECT 'slot ' || l.id AS subject, CASE
        WHEN l.reported_artifact_digest IS DISTINCT FROM r.artifact_digest THEN 'it holds ' || coalesce(l.reported_artifact_digest, 'nothing')
        WHEN a.board_model <> b.board_model THEN 'it is of a ' || b.board_model || ' and holds firmware for ' || a.board_model
      END AS fault
      FROM slot l JOIN board b ON b.id = l.board_id JOIN revision r ON r.id = l.reported_revision_id
      LEFT JOIN artifact a ON a.digest = l.reported_artifact_digest
      WHERE l.state = 'serving' AND b.removed_at IS NULL`,
  },
  {
    invariant: "R8",
    says: "routes and answers name revisions of their endpoint",
    rows: sql`
      SELECT 'route of ' || e.name AS subject, CASE WHEN r.endpoint_id IS DISTINCT FROM o.endpoint_id
        THEN 'it leads to a revision of another endpoint' END AS fault
      FROM route o JOIN endpoint e ON e.id = o.endpoint_id CROSS JOIN LATERAL jsonb_array_elements(o.split) part
      LEFT JOIN revision r ON r.id = (part ->> 'revisionId')::uuid
      UNION ALL
      SELECT 'request ' || q.id, CASE WHEN r.id IS NULL THEN 'no revision ' || q.revision || ' answered it' END
      FROM request_record q LEFT JOIN revision r ON r.endpoint_id = q.endpoint_id AND r.ordinal = q.revision WHERE q.revision > 0`,
  },
  {
    invariant: "R9",
    says: "the log of an attempt has no gap in lines and bytes, in rows or in the index of its object",
    rows: sql`
      SELECT 'log of attempt ' || t.epoch || ' of bld_' || t.build_id AS subject, CASE
        WHEN t.log_index IS NOT NULL AND c.chunks > 0 THEN 'it lies in rows and in an object'
        WHEN c.gaps > 0 OR i.gaps > 0 THEN 'it has a gap'
        WHEN t.log_index IS NULL AND (c.last <> t.lines OR c.bytes <> t.log_bytes)
          THEN 'it should have ' || t.lines || ' lines and ' || t.log_bytes || ' bytes, its rows have ' || c.last || ' and ' || c.bytes
        WHEN t.log_index IS NOT NULL AND i.last <> t.lines THEN 'it should have ' || t.lines || ' lines, its index has ' || i.last
      END AS fault
      FROM attempt t
      CROSS JOIN LATERAL (
        SELECT count(*) AS chunks, coalesce(max(last_line), 0) AS last, coalesce(sum(bytes), 0) AS bytes,
          count(*) FILTER (WHERE first_line <> before + 1 OR byte_offset <> bytes_before OR seq <> nth
            OR jsonb_array_length(lines) <> last_line - first_line + 1) AS gaps
        FROM (
          SELECT k.*, lag(k.last_line, 1, 0) OVER w AS before, row_number() OVER w AS nth,
            coalesce(sum(k.bytes) OVER (ORDER BY k.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
          FROM log_chunk k WHERE k.build_id = t.build_id AND k.epoch = t.epoch WINDOW w AS (ORDER BY k.seq)) chunk) c
      CROSS JOIN LATERAL (
        SELECT coalesce(max(last), 0) AS last, count(*) FILTER (WHERE first <> before + 1 OR "offset" <> bytes_before) AS gaps
        FROM (
          SELECT k.*, lag(k.last, 1, 0) OVER (ORDER BY k.first) AS before,
            coalesce(sum(k.bytes) OVER (ORDER BY k.first ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
          FROM jsonb_to_recordset(coalesce(t.log_index, '[]')) AS k(first int, last int, "offset" bigint, bytes bigint)) block) i`,
  },
  {
    invariant: "R11",
    says: "the answer to an idempotency key names what is there",
    rows: sql`
      SELECT 'key ' || k.key AS subject, CASE WHEN b.id IS NULL THEN 'there is no ' || (k.answer ->> 'buildId') END AS fault
      FROM idempotency_key k LEFT JOIN build b ON 'bld_' || b.id = k.answer ->> 'buildId' WHERE k.answer ->> 'buildId' IS NOT NULL`,
  },
  {
    invariant: "R12",
    says: "a build whose end was asked for ends as cancelled",
    rows: sql`
      SELECT ${shownBuild} AS subject, CASE WHEN b.state <> 'cancelled' THEN 'it ended as ' || b.state END AS fault
      FROM build b WHERE b.cancel_requested_at IS NOT NULL AND b.ended_at IS NOT NULL`,
  },
  {
    invariant: "R12",
    says: "a build whose end was asked for is over within a minute",
    whileRunning: true,
    rows: sql`
      SELECT ${shownBuild} AS subject, CASE WHEN b.ended_at IS NULL AND ${isLate(sql`b.cancel_requested_at`)}
        THEN 'it was asked for at ' || b.cancel_requested_at || ', and it is ' || b.state END AS fault
      FROM build b WHERE b.cancel_requested_at IS NOT NULL`,
  },
  {
    invariant: "R13",
    says: "one attempt owns a slot at most, and the slot is meant for it",
    rows: sql`
      SELECT 'slot ' || l.id AS subject, CASE
        WHEN count(a.id) > 1 THEN count(a.id) || ' own it'
        WHEN count(a.id) = 1 AND min(a.revision_id::text) IS DISTINCT FROM l.desired_revision_id::text
          THEN 'its owner is ' || min(a.revision_id::text) || ', it is meant for ' || coalesce(l.desired_revision_id::text, 'nobody')
        WHEN max(a.epoch) > l.epoch OR l.reported_epoch > l.epoch THEN 'its epoch went back'
      END AS fault
      FROM slot l LEFT JOIN slot_assignment a ON a.slot_id = l.id AND a.released_at IS NULL GROUP BY l.id`,
  },
  {
    invariant: "R13",
    says: "a board that somebody has for themselves serves no endpoint",
    rows: sql`
      SELECT 'board ' || b.id AS subject, CASE WHEN EXISTS (
          SELECT 1 FROM slot l JOIN slot_assignment a ON a.slot_id = l.id AND a.released_at IS NULL WHERE l.board_id = b.id)
        THEN 'an endpoint has a place of it too' END AS fault
      FROM board b WHERE EXISTS (
        SELECT 1 FROM lease x WHERE x.board_id = b.id AND x.released_at IS NULL AND x.started_at IS NOT NULL)`,
  },
  {
    invariant: "R14",
    says: "a build that waits has a job in the outbox",
    rows: sql`
      SELECT ${shownBuild} AS subject, CASE WHEN NOT EXISTS (
        SELECT 1 FROM outbox o WHERE o.job_id = 'build-' || b.id || '-' || b.jobs) THEN 'it waits for no job' END AS fault
      FROM build b WHERE b.state = 'queued'`,
  },
  {
    invariant: "R14",
    says: "jobs leave the outbox within a minute",
    whileRunning: true,
    rows: sql`
      SELECT 'job ' || o.job_id AS subject,
        CASE WHEN o.published_at IS NULL AND ${isLate(sql`o.created_at`)} THEN 'it waits since ' || o.created_at END AS fault
      FROM outbox o`,
  },
  {
    invariant: "R15",
    says: "what belongs together is of one project",
    rows: sql`
      SELECT 'rev_' || r.id AS subject, CASE WHEN r.project_id <> e.project_id OR r.project_id <> b.project_id
        THEN 'its endpoint or build is of another project' END AS fault
      FROM revision r JOIN endpoint e ON e.id = r.endpoint_id LEFT JOIN build b ON b.id = r.build_id
      UNION ALL
      SELECT 'artifact ' || f.artifact_digest, CASE WHEN f.project_id <> b.project_id
        THEN 'it is held for a build of another project' END
      FROM artifact_reference f JOIN build b ON b.id = f.build_id`,
  },
];

/** Builds that clients were promised (R1): each is there, and has ended. */
export const promisedBuilds = (ids: readonly string[]): Rule => ({
  invariant: "R1",
  says: "a build that was acknowledged is there, and has ended",
  rows: sql`
    SELECT p.id AS subject, CASE
      WHEN b.id IS NULL THEN 'it is lost'
      WHEN b.ended_at IS NULL THEN 'it never ended, it is ' || b.state
    END AS fault
    FROM unnest(${[...new Set(ids)]}::text[]) p(id) LEFT JOIN build b ON 'bld_' || b.id = p.id`,
});
