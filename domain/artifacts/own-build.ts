import type { Scope } from "@/lib/common/contract";
import { type Sql, sql } from "@/lib/server/db";

/**
 * UUID of the build of a project that made an artifact called `a`, or of its first that took it: whose build made it may be nobody's
 * business here.
 */
export const ownBuild = (scope: Scope): Sql => sql`(
  SELECT f.build_id FROM artifact_reference f WHERE f.artifact_digest = a.digest AND f.project_id = ${scope}::uuid
  ORDER BY f.build_id <> a.build_id, f.build_id LIMIT 1)`;
