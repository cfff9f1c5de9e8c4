import { usualQuotas } from "@/lib/common/contract";
import { type Sql, sql } from "@/lib/server/db";

/** Whether the project of `build b` runs fewer builds than it may. */
export const runsWithinQuota: Sql = sql`coalesce((
  SELECT count(*) FROM build running
  WHERE running.project_id = b.project_id AND running.state <> 'queued' AND running.ended_at IS NULL
) < (
  SELECT CASE WHEN q.project_id IS NULL THEN ${usualQuotas.runningBuilds}::int ELSE q.running_builds END
  FROM (SELECT) one LEFT JOIN project_quota q ON q.project_id = b.project_id
), true)`;
