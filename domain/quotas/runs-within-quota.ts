import { usualQuotas } from "@/lib/common/contract";
import { type Sql, sql } from "@/lib/server/db";

/** How many builds a project may run at once, of `project_quota q`; null: any number. */
export const mostRunning: Sql = sql`
  CASE WHEN q.project_id IS NULL THEN ${usualQuotas.runningBuilds}::int ELSE q.running_builds END`;

/** How many of them each person. */
export const mostRunningEach: Sql = sql`
  CASE WHEN q.project_id IS NULL THEN ${usualQuotas.runningBuildsEach}::int ELSE q.running_builds_each END`;

/** Whether fewer builds of the project of `build b` run than a limit of it says. @param which Of `build running`. */
const hasRoom = (most: Sql, which: Sql): Sql => sql`coalesce((
  SELECT count(*) FROM build running
  WHERE running.project_id = b.project_id AND running.state <> 'queued' AND running.ended_at IS NULL AND ${which}
) < (
  SELECT ${most} FROM (SELECT) one LEFT JOIN project_quota q ON q.project_id = b.project_id
), true)`;

/** Whether the project of `build b`, and the person who asked for it, run fewer builds than they may. */
export const runsWithinQuota: Sql = sql`(${hasRoom(mostRunning, sql`TRUE`)} AND (
  b.asked_by_id IS NULL OR ${hasRoom(mostRunningEach, sql`running.asked_by_id = b.asked_by_id`)}))`;
