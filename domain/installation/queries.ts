import { database } from "@/lib/server/db";

type Counts = Readonly<Record<string, number>>;

/** How much there is of what an operator watches, and how old the oldest of it is. */
export interface InstallationCounts {
  /** By state. */
  readonly builds: Counts;
  readonly endpoints: Counts;
  readonly slots: Counts;
  /** Builds and inspections that wait for a worker; null: none does. */
  readonly oldestWaitS: number | null;
  /** Rows that are not on the queue yet. */
  readonly outbox: number;
  readonly oldestOutboxS: number | null;
  /** Attempts that hold a lease, and those of them whose lease is over. */
  readonly leases: number;
  readonly overdueLeases: number;
  readonly buildWorkers: number;
  readonly buildSlots: number;
  readonly boardServers: number;
  readonly silentBoardServers: number;
  /** Messages that are still to be sent. */
  readonly deliveries: number;
  readonly damagedArtifacts: number;
  readonly databaseBytes: number;
}

/** Counts all of it by the database's clock. */
export async function readInstallation(): Promise<InstallationCounts> {
  const [row] = await database().$queryRaw<{ counts: InstallationCounts }[]>`
    SELECT json_build_object(
      'builds', (SELECT coalesce(json_object_agg(state, n), '{}') FROM (SELECT state, count(*) AS n FROM build GROUP BY 1) t),
      'endpoints', (SELECT coalesce(json_object_agg(state, n), '{}') FROM (
        SELECT state, count(*) AS n FROM endpoint WHERE deleted_at IS NULL GROUP BY 1) t),
      'slots', (SELECT coalesce(json_object_agg(state, n), '{}') FROM (
        SELECT s.state, count(*) AS n FROM slot s JOIN board b ON b.id = s.board_id WHERE b.removed_at IS NULL GROUP BY 1) t),
      'oldestWaitS', (SELECT extract(epoch FROM now() - min(at)) FROM (
        SELECT queued_at AS at FROM build WHERE state = 'queued'
        UNION ALL SELECT created_at FROM inspection WHERE state = 'queued') t),
      'outbox', (SELECT count(*) FROM outbox WHERE published_at IS NULL),
      'oldestOutboxS', (SELECT extract(epoch FROM now() - min(created_at)) FROM outbox WHERE published_at IS NULL),
      'leases', (SELECT count(*) FROM build WHERE state IN ('preparing', 'running')),
      'overdueLeases', (SELECT count(*) FROM build WHERE state IN ('preparing', 'running') AND lease_until < now()),
      'buildWorkers', (SELECT count(*) FROM build_worker WHERE seen_at > now() - interval '12 seconds'),
      'buildSlots', (SELECT coalesce(sum(slots), 0) FROM build_worker WHERE seen_at > now() - interval '12 seconds'),
      'boardServers', (SELECT count(*) FROM board_server WHERE heartbeat_at > now() - interval '15 seconds'),
      'silentBoardServers', (SELECT count(*) FROM board_server
        WHERE heartbeat_at IS NULL OR heartbeat_at <= now() - interval '15 seconds'),
      'deliveries', (SELECT count(*) FROM delivery WHERE ended_at IS NULL),
      'damagedArtifacts', (SELECT count(*) FROM artifact WHERE damaged_at IS NOT NULL),
      'databaseBytes', pg_database_size(current_database())
    ) AS counts`;
  if (!row) throw new TypeError("the database counted nothing");
  return row.counts;
}
