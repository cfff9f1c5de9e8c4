import { retryBuild } from "@/domain/builds";
import { idPrefixes, type Scope } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { database, toId, withTransaction } from "@/lib/server/db";

/**
 * Has damaged artifacts that an endpoint needs made again, each by repeating the build that made it; that build looks at
 * the bytes first, and takes them if they are right by now. Answers for how many it was asked.
 */
export async function repairArtifacts(): Promise<number> {
  const rows = await database().$queryRaw<{ digest: string; buildId: string; scope: Scope }[]>`
    SELECT a.digest, b.id AS "buildId", b.project_id AS scope FROM artifact a JOIN build b ON b.id = a.build_id
    WHERE a.damaged_at IS NOT NULL AND (a.repair_asked_at IS NULL OR a.repair_asked_at < now() - interval '10 minutes')
      AND NOT EXISTS (SELECT 1 FROM artifact o WHERE o.plan_digest = a.plan_digest AND o.damaged_at IS NULL)
      AND EXISTS (
        SELECT 1 FROM revision r JOIN endpoint e ON e.id = r.endpoint_id
        WHERE r.artifact_digest = a.digest AND r.state IN ('building', 'ready') AND e.delete_requested_at IS NULL)
    ORDER BY a.damaged_at LIMIT 10`;
  let asked = 0;
  for (const { digest, buildId, scope } of rows) {
    // Noted first: one that cannot be repeated is not asked for again at once.
    await database()
      .$executeRaw`UPDATE artifact SET repair_asked_at = now() WHERE digest = ${digest}`;
    try {
      await withTransaction((tx) =>
        retryBuild(scope, toId(idPrefixes.build, buildId), { given: tx }),
      );
      asked++;
    } catch (error) {
      if (!isAppError(error) || error.reason !== "STATE_CONFLICT") throw error;
    }
  }
  return asked;
}
