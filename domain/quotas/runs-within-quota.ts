import { usualQuotas } from "@/lib/common/contract";
import { type Sql, sql } from "@/lib/server/db";

/** How many builds a project may run at once, of `project_quota q`; null: any number. */
export const mostRunning: Sql = sql`
  CASE WHEN q.project_id IS NULL THEN ${usualQuotas.runningBuilds}::int ELSE q.running_builds END`;

/** Whether a project runs fewer builds than it may. */
export const hasRunningRoom = (project: Sql): Sql => sql`coalesce((
  SELECT count(*) FROM build running
  WHERE running.project_id = ${project} AND running.state <> 'queued' AND running.ended_at IS NULL
) < (
  SELECT ${mostRunning} FROM (SELECT) one LEFT JOIN project_quota q ON q.project_id = ${project}
), true)`;

/** Whether the project of `build b` runs fewer builds than it may. */
export const runsWithinQuota: Sql = hasRunningRoom(sql`b.project_id`);
