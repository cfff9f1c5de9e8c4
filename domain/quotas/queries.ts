import { idPrefixes, type ProjectQuotas, type Scope } from "@/lib/common/contract";
import { database, sql, toId } from "@/lib/server/db";
import { type LimitsRow, limitColumns, toLimits } from "./limits";
import { used } from "./used";

const { countedBuilds, heldBoards, leasedBoards, queuedBuilds, runningBuilds, storedBytes } = used;

interface Row extends LimitsRow {
  readonly id: string;
  readonly name: string;
  readonly running: number;
  readonly queued: number;
  readonly minutes: number;
  readonly held: number;
  readonly stored: bigint;
  readonly requests: number;
}

const project = sql`p.id`;

/** The limits of a project and what it takes of them. @param scope Null: of every project, by name. */
export async function listQuotas(scope: Scope | null): Promise<ProjectQuotas[]> {
  const rows = await database().$queryRaw<Row[]>`
    SELECT p.id, p.name, ${limitColumns}, ${runningBuilds(project)} AS running, ${queuedBuilds(project)} AS queued,
      (SELECT coalesce(sum(minutes), 0)::float8 FROM (${countedBuilds(project)}) counted) AS minutes,
      ${heldBoards(project)} + ${leasedBoards(project)} AS held, ${storedBytes(project)} AS stored,
      (SELECT coalesce(sum(t.requests), 0)::float8 / 60 FROM traffic_minute t JOIN endpoint e ON e.id = t.endpoint_id
        WHERE e.project_id = p.id AND t.at = date_trunc('minute', now()) - interval '1 minute') AS requests
    FROM project p LEFT JOIN project_quota q ON q.project_id = p.id
    WHERE ${scope === null ? sql`TRUE` : sql`p.id = ${scope}::uuid`} ORDER BY p.name`;
  return rows.map(({ id, name, running, queued, minutes, held, stored, requests, ...limits }) => ({
    project: { id: toId(idPrefixes.project, id), name },
    limits: toLimits(limits),
    isUsual: limits.projectId === null,
    used: {
      runningBuilds: running,
      queuedBuilds: queued,
      buildMinutes: minutes,
      boards: held,
      storageBytes: Number(stored),
      requestsPerSecond: requests,
    },
  }));
}
