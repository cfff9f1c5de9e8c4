import { type QuotaLimits, usualQuotas } from "@/lib/common/contract";
import { type Sql, sql, type Tx } from "@/lib/server/db";

/** A row of "project_quota", as the contract has it. */
export interface LimitsRow {
  readonly projectId: string | null;
  readonly runningBuilds: number | null;
  readonly runningBuildsEach: number | null;
  readonly queuedBuilds: number | null;
  readonly buildMinutes: number | null;
  readonly boards: number | null;
  readonly storageBytes: bigint | null;
  readonly requestsPerSecond: number | null;
  readonly requestsPerSecondEach: number | null;
}

/** The columns of `LimitsRow`, of a table called `q`. */
export const limitColumns: Sql = sql`q.project_id AS "projectId", q.running_builds AS "runningBuilds",
  q.running_builds_each AS "runningBuildsEach",
  q.queued_builds AS "queuedBuilds", q.build_minutes AS "buildMinutes", q.boards, q.storage_bytes AS "storageBytes",
  q.requests_per_second AS "requestsPerSecond", q.requests_per_second_each AS "requestsPerSecondEach"`;

/** Limits as a row sets them, or the usual ones where there is none. */
export function toLimits(row: LimitsRow | undefined): QuotaLimits {
  if (!row || row.projectId === null) return usualQuotas;
  const { projectId: _, storageBytes, ...rest } = row;
  return { ...rest, storageBytes: storageBytes === null ? null : Number(storageBytes) };
}

/** The limits of a project. */
export async function readLimits(
  db: Pick<Tx, "$queryRaw">,
  projectId: string,
): Promise<QuotaLimits> {
  const [row] = await db.$queryRaw<LimitsRow[]>`
    SELECT ${limitColumns} FROM project_quota q WHERE q.project_id = ${projectId}::uuid`;
  return toLimits(row);
}
