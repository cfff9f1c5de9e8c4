import {
  type BuildPriority,
  type Digest,
  idPrefixes,
  type NewRevision,
  type Scope,
} from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { parseId, sql, type Tx, toId, withTransaction } from "@/lib/server/db";
import { endBuild } from "./attempts";
import { createBuild } from "./create";
import { priorityOf, priorityRanks } from "./priority";
import { tellBuild } from "./transition";
import { waitsInTurn } from "./turn";

/**
 * Asks for a build's end. A waiting one ends at once; a running one when its worker has stopped the tools.
 *
 * @throws {AppError} `BUILD_UNKNOWN`; `STATE_CONFLICT` when it has ended already.
 */
export async function cancelBuild(scope: Scope, id: string): Promise<void> {
  await withTransaction((tx) => cancelInTransaction(tx, scope, buildUuid(id)));
}

async function cancelInTransaction(tx: Tx, scope: Scope, buildId: string): Promise<void> {
  const [build] = await tx.$queryRaw<{ state: string; ended: boolean; asked: boolean }[]>`
    SELECT state, ended_at IS NOT NULL AS ended, cancel_requested_at IS NOT NULL AS asked
    FROM build WHERE id = ${buildId}::uuid AND project_id = ${scope}::uuid FOR UPDATE`;
  if (!build) throw notFound("build", toId(idPrefixes.build, buildId));
  if (build.state === "cancelled" || (build.asked && !build.ended)) return;
  if (build.ended) throw fail("STATE_CONFLICT", "This build has ended already.");
  await tx.$executeRaw`
    UPDATE build SET cancel_requested_at = coalesce(cancel_requested_at, now()) WHERE id = ${buildId}::uuid`;
  const endedNow =
    build.state === "queued" &&
    (await endBuild(tx, {
      buildId,
      state: "cancelled",
      actor: "api",
      problem: { code: "cancelled", reason: "CANCELLED", message: "Cancelled before it began." },
      where: sql`b.state = 'queued'`,
    }));
  if (!endedNow) await tellBuild(tx, { buildId, projectId: scope });
}

/**
 * Repeats an ended build as a new one, which the revisions that still wait for it then follow. One that succeeded can be
 * repeated while its artifact is known to be damaged, or was deleted. The new one has the same priority and labels.
 *
 * @param askedById UUID of the person who repeats it; left out: it is still of whoever asked for it first.
 * @returns The id of the new build.
 * @throws {AppError} `BUILD_UNKNOWN`; `STATE_CONFLICT` unless it ended without success, or its artifact is damaged or gone.
 */
export async function retryBuild(
  scope: Scope,
  id: string,
  { given, askedById }: { readonly given?: Tx; readonly askedById?: string | null } = {},
): Promise<string> {
  const buildId = buildUuid(id);
  const run = async (tx: Tx) => {
    const [build] = await tx.$queryRaw<
      {
        state: string;
        request: NewRevision;
        modelDigest: Digest | null;
        askedById: string | null;
        boardModel: string;
        boardKind: "simulated" | "cpu" | "physical";
        endpointName: string | null;
        rank: number;
        labels: string[];
        damaged: boolean;
      }[]
    >`
      SELECT b.state, b.request, b.model_digest AS "modelDigest", b.asked_by_id AS "askedById", b.board_model AS "boardModel", b.board_kind AS "boardKind",
        b.endpoint_name AS "endpointName", b.priority AS rank, b.labels,
        b.artifact_digest IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM artifact a WHERE a.digest = b.artifact_digest AND a.damaged_at IS NULL) AS damaged
      FROM build b WHERE b.id = ${buildId}::uuid AND b.project_id = ${scope}::uuid FOR UPDATE`;
    if (!build) throw notFound("build", toId(idPrefixes.build, buildId));
    if (!build.damaged && !["failed", "cancelled", "timed_out"].includes(build.state))
      throw fail("STATE_CONFLICT", "Only a build that ended without success can be repeated.");
    // Looked for once the row is locked: a statement that waits for a lock still sees what was there before it waited.
    const repeated = await tx.build.count({ where: { retryOfId: buildId, endedAt: null } });
    if (repeated > 0) throw fail("STATE_CONFLICT", "This build is being repeated already.");
    const newId = await createBuild(tx, {
      projectId: scope,
      request: build.damaged ? ofSameModel(build) : build.request,
      boardModel: build.boardModel,
      boardKind: build.boardKind,
      endpointName: build.endpointName,
      askedById: askedById ?? build.askedById,
      retryOfId: buildId,
      priority: priorityOf(build.rank),
      labels: build.labels,
    });
    await tx.$executeRaw`
      UPDATE revision r SET build_id = ${newId}::uuid, state = 'building', problem = NULL,
        turn = (SELECT max(o.turn) + 1 FROM revision o WHERE o.endpoint_id = r.endpoint_id)
      FROM endpoint e
      WHERE r.build_id = ${buildId}::uuid AND r.artifact_digest IS NULL
        AND e.id = r.endpoint_id AND e.delete_requested_at IS NULL`;
    await tellBuild(tx, { buildId: newId, projectId: scope });
    return toId(idPrefixes.build, newId);
  };
  return given ? await run(given) : await withTransaction(run);
}

/** The request of a build whose artifact is made again: endpoints serve it, so it takes the very model that it was made of. */
const ofSameModel = ({
  request,
  modelDigest,
}: {
  readonly request: NewRevision;
  readonly modelDigest: Digest | null;
}): NewRevision =>
  modelDigest ? { ...request, model: { ...request.model, digest: modelDigest } } : request;

/**
 * Moves a build that waits for a worker forward or back.
 *
 * @throws {AppError} `BUILD_UNKNOWN`; `STATE_CONFLICT` when it waits no more.
 */
export async function setPriority(
  scope: Scope,
  id: string,
  priority: BuildPriority,
): Promise<void> {
  const buildId = buildUuid(id);
  await withTransaction(async (tx) => {
    const [build] = await tx.$queryRaw<{ isWaiting: boolean; rank: number }[]>`
      SELECT ${waitsInTurn} AS "isWaiting", b.priority AS rank
      FROM build b WHERE b.id = ${buildId}::uuid AND b.project_id = ${scope}::uuid FOR UPDATE`;
    if (!build) throw notFound("build", id);
    if (!build.isWaiting)
      throw fail("STATE_CONFLICT", "The priority of a build can be changed only while it waits.");
    const rank = priorityRanks[priority];
    if (rank === build.rank) return;
    await tx.$executeRaw`UPDATE build SET priority = ${rank} WHERE id = ${buildId}::uuid`;
    await tellBuild(tx, { buildId, projectId: scope });
  });
}

/** Gives a build labels, whatever its state, in the place of those that it has. @throws {AppError} `BUILD_UNKNOWN` */
export async function setLabels(
  scope: Scope,
  id: string,
  labels: readonly string[],
): Promise<void> {
  const buildId = buildUuid(id);
  await withTransaction(async (tx) => {
    const changed = await tx.$executeRaw`
      UPDATE build SET labels = ${[...labels]}::text[]
      WHERE id = ${buildId}::uuid AND project_id = ${scope}::uuid`;
    if (changed === 0) throw notFound("build", id);
    await tellBuild(tx, { buildId, projectId: scope });
  });
}

function buildUuid(id: string): string {
  const uuid = parseId(idPrefixes.build, id);
  if (!uuid) throw notFound("build", id);
  return uuid;
}
