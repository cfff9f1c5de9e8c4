import type { ArtifactUse } from "@/lib/common/contract";
import { type Sql, sql, type Tx } from "@/lib/server/db";

/**
 * Revisions of endpoints that are not gone and were made with an artifact, as `u`: its project, endpoint, ordinal, and what the
 * artifact is needed for. An endpoint that is being deleted needs it until its boards are free.
 */
export const selectUses = (digest: Sql): Sql => sql`
  SELECT e.project_id, e.name AS endpoint, r.ordinal AS revision, CASE
    WHEN r.state = 'ready' OR ro.split @> jsonb_build_array(jsonb_build_object('revisionId', r.id)) THEN 'serves'
    WHEN r.state = 'building' THEN 'loads'
    WHEN r.state = 'failed' AND r.served_at IS NULL THEN 'failed'
    ELSE 'rollback' END AS role
  FROM revision r JOIN endpoint e ON e.id = r.endpoint_id LEFT JOIN route ro ON ro.endpoint_id = e.id
  WHERE r.artifact_digest = ${digest} AND e.deleted_at IS NULL`;

/** A use, and whose it is. */
export interface OwnedUse extends ArtifactUse {
  readonly projectId: string;
}

/** What endpoints of all projects need an artifact for, those that answer from it first. */
export async function listUses(tx: Pick<Tx, "$queryRaw">, digest: string): Promise<OwnedUse[]> {
  return await tx.$queryRaw<OwnedUse[]>`
    SELECT u.project_id AS "projectId", u.endpoint, u.revision, u.role FROM (${selectUses(sql`${digest}`)}) u
    ORDER BY array_position(ARRAY['serves', 'loads', 'rollback', 'failed'], u.role), u.endpoint, u.revision`;
}
