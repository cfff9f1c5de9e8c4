import { enqueue } from "@/domain/outbox";
import { requireBuildRoom } from "@/domain/quotas";
import { type Tx, toJson, uuidv7 } from "@/lib/server/db";
import { priorityRanks } from "./priority";
import type { NewBuild } from "./types";

/**
 * Writes a build that waits, its first transition and its job, in the caller's transaction, which tells of it with
 * `tellBuild` when it has done all else. Answers its UUID.
 *
 * @throws {AppError} `QUOTA_EXCEEDED`
 */
export async function createBuild(tx: Tx, build: NewBuild): Promise<string> {
  await requireBuildRoom(tx, build.projectId);
  const id = uuidv7();
  const { request } = build;
  await tx.build.create({
    data: {
      id,
      projectId: build.projectId,
      request: toJson(request),
      engine: request.engine,
      boardModel: build.boardModel,
      boardKind: build.boardKind,
      modelUrl: request.model.url,
      endpointName: build.endpointName,
      askedById: build.askedById ?? null,
      retryOfId: build.retryOfId ?? null,
      priority: priorityRanks[build.priority ?? "normal"],
      labels: [...(build.labels ?? [])],
      jobs: 1,
    },
  });
  await tx.transition.create({
    data: { buildId: id, toState: "queued", epoch: 0, actor: "api" },
  });
  await enqueue(tx, { queue: "build", jobId: buildJobId(id, 1), payload: { buildId: id } });
  return id;
}

/** BullMQ ids may hold no colon and must not be all digits. */
export function buildJobId(buildId: string, n: number): string {
  return `build-${buildId}-${n}`;
}

/** Gives a waiting build a new job. */
export async function enqueueAgain(tx: Tx, buildId: string): Promise<void> {
  const { jobs } = await tx.build.update({
    where: { id: buildId },
    data: { jobs: { increment: 1 } },
    select: { jobs: true },
  });
  await enqueue(tx, { queue: "build", jobId: buildJobId(buildId, jobs), payload: { buildId } });
}
