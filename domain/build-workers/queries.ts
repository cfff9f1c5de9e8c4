import type { BuildWorker } from "@/lib/common/contract";
import { database, sql } from "@/lib/server/db";

const isUp = sql`seen_at > now() - interval '60 seconds'`;

/** Whether any build worker was heard of within the last minute. */
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
    SELECT name, host, sandbox, mend, missing, tools, seen_at AS "seenAt" FROM build_worker
    WHERE ${isUp} ORDER BY host, name LIMIT ${most}`;
  return rows.map(({ seenAt, ...row }) => ({ ...row, seenAt: seenAt.toISOString() }));
}
