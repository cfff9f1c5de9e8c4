import type { BuildWorker } from "@/lib/common/contract";
import { database } from "@/lib/server/db";

/** More than any page tells of. */
const most = 100;

/** Build workers that were heard of within the last minute. */
export async function listBuildWorkers(): Promise<BuildWorker[]> {
  const rows = await database().$queryRaw<(Omit<BuildWorker, "seenAt"> & { seenAt: Date })[]>`
    SELECT name, host, sandbox, mend, missing, tools, seen_at AS "seenAt" FROM build_worker
    WHERE seen_at > now() - interval '60 seconds' ORDER BY host, name LIMIT ${most}`;
  return rows.map(({ seenAt, ...row }) => ({ ...row, seenAt: seenAt.toISOString() }));
}
