import { idPrefixes, type QuotaLimits } from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { database, parseId } from "@/lib/server/db";

/** Sets how much a project may take; what is under way goes on. @throws {AppError} `NOT_FOUND` */
export async function setQuotas(id: string, limits: QuotaLimits): Promise<void> {
  const uuid = parseId(idPrefixes.project, id);
  const { runningBuilds, queuedBuilds, buildMinutes, boards, storageBytes } = limits;
  const set =
    uuid !== null &&
    (await database().$executeRaw`
      INSERT INTO project_quota (project_id, running_builds, running_builds_each, queued_builds, build_minutes, boards, storage_bytes, requests_per_second, requests_per_second_each)
      SELECT id, ${runningBuilds}::int, ${limits.runningBuildsEach}::int, ${queuedBuilds}::int, ${buildMinutes}::int, ${boards}::int, ${storageBytes}::bigint,
        ${limits.requestsPerSecond}::int, ${limits.requestsPerSecondEach}::int FROM project WHERE id = ${uuid}::uuid
      ON CONFLICT (project_id) DO UPDATE SET running_builds = EXCLUDED.running_builds,
        running_builds_each = EXCLUDED.running_builds_each, queued_builds = EXCLUDED.queued_builds, build_minutes = EXCLUDED.build_minutes, boards = EXCLUDED.boards,
        storage_bytes = EXCLUDED.storage_bytes, requests_per_second = EXCLUDED.requests_per_second,
        requests_per_second_each = EXCLUDED.requests_per_second_each, updated_at = now()`);
  if (!set) throw notFound("project", id);
}
