import type { BuildWorker } from "@/lib/common/contract";
import { database, sql } from "@/lib/server/db";

/** A worker says every three seconds that it is up; one that has not for so long is taken for dead. */
const aliveS = 12;
const isUp = sql`seen_at > now() - make_interval(secs => ${aliveS})`;

/** Whether any build worker is alive. */
export async function isAnyWorkerUp(): Promise<boolean> {
  const rows = await database().$queryRaw<
    object[]
  >`SELECT 1 FROM build_worker WHERE ${isUp} LIMIT 1`;
  return rows.length > 0;
}

/** More than any page tells of. */
const most = 100;

/** Build workers that were heard of within the last minute. */
export async function listBuildWorkers(): Promise<BuildWorker[]> {
  const rows = await database().$queryRaw<(Omit<BuildWorker, "seenAt"> & { seenAt: Date })[]>`
    SELECT name, host, sandbox, mend, missing, tools, slots, seen_at AS "seenAt" FROM build_worker
    WHERE seen_at > now() - interval '60 seconds' ORDER BY host, name LIMIT ${most}`;
  return rows.map(({ seenAt, ...row }) => ({ ...row, seenAt: seenAt.toISOString() }));
}

/** A build worker that is alive, and how much it does. */
export interface AliveWorker {
  readonly name: string;
  readonly host: string;
  readonly slots: number;
  readonly running: number;
  readonly seenAt: Date;
}

/** Build workers that are alive now, with what they run. */
export async function listAliveWorkers(): Promise<readonly AliveWorker[]> {
  return await database().$queryRaw<AliveWorker[]>`
    SELECT w.name, w.host, w.slots, w.seen_at AS "seenAt",
      (SELECT count(*)::int FROM build b
        WHERE b.lease_owner = w.name AND b.state IN ('preparing', 'running') AND b.lease_until > now()) AS running
    FROM build_worker w WHERE ${isUp} ORDER BY w.host, w.name LIMIT ${most}`;
}

/** When any build worker was heard of last; null where none ever was, or all took leave. */
export async function lastWorkerSeenAt(): Promise<Date | null> {
  const [row] = await database().$queryRaw<{ seenAt: Date | null }[]>`
    SELECT max(seen_at) AS "seenAt" FROM build_worker`;
  return row?.seenAt ?? null;
}
