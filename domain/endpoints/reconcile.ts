import { recordEvent } from "@/domain/events";
import { backoffMs } from "@/lib/common/backoff";
import { type ErrorData, isAppError } from "@/lib/common/errors";
import { type Tx, withTransaction } from "@/lib/server/db";
import { logger } from "@/lib/server/logger";
import { leaveDrained, stayingOf } from "./drained";
import { heldPlaces } from "./held-places";
import { listDue, noteFailure, noteLook, wakeEndpoints } from "./looks";
import { command, markUnreachable, placeInSlot, releaseSlot, removeUnusedSlots } from "./slots";
import { isServing, mends, pausedStatus, serves, statusOf } from "./status";
import type { EndpointStatus, Replica, RevisionView } from "./types";

/** Tries to load a revision that never served, before it counts as failed. */
const maxTries = 3;
/** Pause before a revision that did serve is tried again. */
const retryAfterS = 10;
/** What another try cannot mend. */
const lasting: ReadonlySet<string> = new Set([
  "SIGNATURE_INVALID",
  "DEVICE_MISMATCH",
  "SELF_TEST_FAILED",
]);

/** Endpoints that one pass looks at: well below a second's work. */
const endpointsPerPass = 25;

/**
 * Takes the endpoints that need it one step towards what is wanted of them: slots for finished builds, routes to what
 * serves, an end for what is deleted. Each endpoint in its own transaction, each write by compare-and-set, so that it may
 * run anywhere, any number of times; one that fails is told so, and keeps no other from its turn.
 *
 * @returns How many endpoints, slots or boards it changed.
 */
export async function reconcileEndpoints({
  limit = endpointsPerPass,
}: {
  readonly limit?: number;
} = {}): Promise<number> {
  let changed = await withTransaction(markUnreachable);
  await wakeEndpoints();
  for (const id of await listDue(limit)) {
    try {
      if (await withTransaction((tx) => reconcileEndpoint(tx, id))) changed++;
    } catch (error) {
      if (isAppError(error) && error.reason === "STORE_UNAVAILABLE") throw error;
      logger().warn({ err: error, endpointId: id }, "endpoint cannot be reconciled");
      await noteFailure(id, error);
    }
  }
  return changed + (await withTransaction(removeUnusedSlots));
}

async function reconcileEndpoint(tx: Tx, id: string): Promise<boolean> {
  const [endpoint] = await tx.$queryRaw<
    {
      name: string;
      projectId: string;
      deleting: boolean;
      paused: boolean;
      routedId: string | null;
    }[]
  >`
    SELECT e.name, e.project_id AS "projectId", e.delete_requested_at IS NOT NULL AS deleting, e.paused,
      (SELECT t.split -> 0 ->> 'revisionId' FROM route t WHERE t.endpoint_id = e.id) AS "routedId"
    FROM endpoint e WHERE e.id = ${id}::uuid AND e.deleted_at IS NULL FOR UPDATE OF e SKIP LOCKED`;
  if (!endpoint) return false;
  const revisions = await readRevisions(tx, id);
  const changed = endpoint.deleting
    ? await finishDelete(tx, id, revisions)
    : await advance(tx, { id, ...endpoint }, revisions);
  const soon = revisions.some(({ replicas }) =>
    replicas.some(({ problem, commandId }) => problem !== null && commandId === null),
  );
  await noteLook(tx, id, { changed, soon });
  if (changed)
    await recordEvent(tx, {
      projectId: endpoint.projectId,
      noun: "endpoint",
      id: endpoint.name,
    });
  return changed;
}

async function finishDelete(
  tx: Tx,
  id: string,
  revisions: readonly RevisionView[],
): Promise<boolean> {
  await tx.$executeRaw`DELETE FROM route WHERE endpoint_id = ${id}::uuid`;
  for (const { replicas } of revisions) await releaseAll(tx, replicas);
  await tx.$executeRaw`
    UPDATE revision SET state = 'retired' WHERE endpoint_id = ${id}::uuid AND state IN ('building', 'ready')`;
  await tx.$executeRaw`UPDATE endpoint SET deleted_at = now() WHERE id = ${id}::uuid`;
  return true;
}

async function advance(
  tx: Tx,
  endpoint: {
    readonly id: string;
    readonly projectId: string;
    readonly paused: boolean;
    readonly routedId: string | null;
  },
  revisions: readonly RevisionView[],
): Promise<boolean> {
  const shown = (status: EndpointStatus) => (endpoint.paused ? pausedStatus(status) : status);
  const target = revisions.find(
    ({ state, artifactDigest }) => state !== "failed" && artifactDigest,
  );
  const routed = revisions.find(({ id }) => id === endpoint.routedId);

  if (target && isServing(target)) {
    await switchTo(tx, endpoint, target, revisions);
    // Its other replicas follow; what it answers with is enough for now.
    const missing = await lead(tx, { ...target, state: "ready" });
    return await writeStatus(tx, endpoint.id, shown(statusOf(revisions, target, missing)));
  }
  await releaseUnwanted(tx, revisions, { target, routed });
  const waiting = target ? await lead(tx, target) : null;
  if (routed && routed !== target) {
    if (target && waiting !== null && (await makeRoom(tx, endpoint.id, target, routed)))
      return true;
    await lead(tx, routed);
  }
  return await writeStatus(tx, endpoint.id, shown(statusOf(revisions, routed ?? null, waiting)));
}

/** Frees the places of what failed, and of what is overtaken before it ever served: what is wanted may need them. */
async function releaseUnwanted(
  tx: Tx,
  revisions: readonly RevisionView[],
  { target, routed }: Record<"target" | "routed", RevisionView | undefined>,
): Promise<void> {
  for (const revision of revisions) {
    if (revision === target || revision === routed) continue;
    if (revision.state === "failed" || (target && revision.turn < target.turn))
      await releaseAll(tx, revision.replicas);
  }
}

/**
 * Takes one place from the revision that serves for the one that is to take over, where waiting cannot help: where the
 * endpoint itself holds every place that it could get. Answers whether it did. Callers get 503 from then on until the next
 * revision serves, unless the old one has another replica; if the next one fails, the old one is loaded again.
 */
async function makeRoom(
  tx: Tx,
  endpointId: string,
  target: RevisionView,
  routed: RevisionView,
): Promise<boolean> {
  if (target.replicas.length > 0 || routed.replicas.length === 0) return false;
  const held = await heldPlaces(tx, endpointId, target);
  const replica = routed.replicas.find(({ slotId }) => held.includes(slotId));
  if (!replica) return false;
  await releaseSlot(tx, replica);
  return true;
}

/** Gives a revision its places, or its slots another try. Answers why one must wait, in words, if it must. */
async function lead(tx: Tx, revision: RevisionView): Promise<string | null> {
  const { replicas, wanted } = revision;
  for (const replica of replicas) {
    if (!(await leadReplica(tx, revision, replica))) {
      await failRevision(tx, revision.id, replica.problem);
      await releaseAll(tx, replicas);
      return null;
    }
  }
  let waiting: string | null = null;
  for (let missing = wanted - stayingOf(replicas).length; missing > 0; missing--) {
    waiting = await placeInSlot(tx, revision);
    if (waiting !== null) break;
  }
  await leaveDrained(tx, revision, { hasRoom: waiting === null });
  return waiting;
}

/** Gives a slot another try where it needs one. Answers whether there is hope for its revision. */
async function leadReplica(tx: Tx, revision: RevisionView, replica: Replica): Promise<boolean> {
  if (serves(replica, revision) || replica.commandId || replica.state === "unreachable")
    return true;
  if (replica.state === "loading" || replica.state === "testing") return true;
  // The board has nothing to do and does not serve: it lost the revision, or could not load it.
  const again = () => command(tx, replica.slotId, replica.epoch, revision.id);
  if (revision.state === "ready") {
    if (!replica.problem || replica.commandAgeS > retryAfterS) await again();
    return true;
  }
  if (mends(replica.problem)) {
    if (replica.commandAgeS > mendPauseS(revision, replica)) await again();
    return true;
  }
  if (hasFailed(replica)) return false;
  await again();
  return true;
}

/** At once when the bytes may be right by now, else ever more rarely. */
function mendPauseS({ damaged }: RevisionView, { epoch, firstEpoch }: Replica): number {
  const tries = epoch - firstEpoch + 1;
  return backoffMs({ firstMs: damaged ? 10_000 : 1000, mostMs: 300_000 }, tries) / 1000;
}

async function releaseAll(tx: Tx, replicas: readonly Replica[]): Promise<void> {
  for (const replica of replicas) await releaseSlot(tx, replica);
}

function hasFailed({ problem, epoch, firstEpoch }: Replica): boolean {
  return problem !== null && (lasting.has(problem.reason) || epoch - firstEpoch + 1 >= maxTries);
}

async function failRevision(tx: Tx, id: string, problem: ErrorData | null): Promise<void> {
  await tx.$executeRaw`
    UPDATE revision SET state = 'failed', problem = ${JSON.stringify(problem)}::jsonb
    WHERE id = ${id}::uuid AND state = 'building'`;
}

/** Sends all traffic to a revision that serves, and only then unloads the others. */
async function switchTo(
  tx: Tx,
  endpoint: { readonly id: string; readonly projectId: string; readonly routedId: string | null },
  target: RevisionView,
  revisions: readonly RevisionView[],
): Promise<void> {
  if (endpoint.routedId !== target.id) {
    const split = JSON.stringify([{ revisionId: target.id, percent: 100 }]);
    await tx.$executeRaw`
      INSERT INTO route (endpoint_id, project_id, split)
      VALUES (${endpoint.id}::uuid, ${endpoint.projectId}::uuid, ${split}::jsonb)
      ON CONFLICT (endpoint_id) DO UPDATE
        SET split = EXCLUDED.split, version = route.version + 1, updated_at = now()`;
    await tx.$executeRaw`
      UPDATE revision SET served_at = clock_timestamp() WHERE id = ${target.id}::uuid`;
  }
  await tx.$executeRaw`
    UPDATE revision SET state = 'ready' WHERE id = ${target.id}::uuid AND state = 'building'`;
  for (const { id, turn, replicas } of revisions) {
    if (id === target.id || turn > target.turn) continue;
    await releaseAll(tx, replicas);
    await tx.$executeRaw`
      UPDATE revision SET state = 'retired' WHERE id = ${id}::uuid
        AND (state = 'ready' OR (state = 'building' AND artifact_digest IS NOT NULL))`;
  }
}

/** Writes the state where it differs. Answers whether it did. */
async function writeStatus(
  tx: Tx,
  id: string,
  { state, reason, problem }: EndpointStatus,
): Promise<boolean> {
  const text = problem && JSON.stringify(problem);
  const written = await tx.$executeRaw`
    UPDATE endpoint SET state = ${state}, reason = ${reason}, problem = ${text}::jsonb,
      ready_at = CASE WHEN ${state} = 'ready' THEN coalesce(ready_at, now()) ELSE ready_at END
    WHERE id = ${id}::uuid
      AND (state, reason, problem) IS DISTINCT FROM (${state}, ${reason}, ${text}::jsonb)`;
  return written === 1;
}

/** The revisions of an endpoint that are not retired, the last that was asked for first, each with its replicas. */
async function readRevisions(tx: Tx, endpointId: string): Promise<readonly RevisionView[]> {
  return await tx.$queryRaw<RevisionView[]>`
    SELECT r.id, r.ordinal, r.turn, r.state, r.board_model AS "boardModel", r.board_kind AS "boardKind",
      r.board_id AS "boardId", r.artifact_digest AS "artifactDigest", r.problem,
      EXISTS (
        SELECT 1 FROM artifact a WHERE a.digest = r.artifact_digest AND a.damaged_at IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM artifact o WHERE o.plan_digest = a.plan_digest AND o.damaged_at IS NULL)) AS damaged,
      coalesce((r.request -> 'serving' ->> 'replicas')::int, 1) AS wanted,
      coalesce(jsonb_agg(jsonb_build_object(
        'assignmentId', a.id, 'slotId', l.id, 'state', l.state, 'epoch', l.epoch, 'firstEpoch', a.epoch,
        'commandId', l.command_id, 'commandAgeS', extract(epoch FROM now() - coalesce(l.command_at, l.updated_at)),
        'reportedRevisionId', l.reported_revision_id, 'reportedEpoch', l.reported_epoch,
        'leaving', coalesce(b.drain = 'move', false),
        'problem', CASE WHEN l.problem = 'null'::jsonb THEN NULL ELSE l.problem END)
        ORDER BY a.id) FILTER (WHERE a.id IS NOT NULL), '[]'::jsonb) AS replicas
    FROM revision r
    LEFT JOIN slot_assignment a ON a.revision_id = r.id AND a.released_at IS NULL
    LEFT JOIN slot l ON l.id = a.slot_id LEFT JOIN board b ON b.id = l.board_id
    WHERE r.endpoint_id = ${endpointId}::uuid AND r.state <> 'retired'
    GROUP BY r.id ORDER BY r.turn DESC, r.ordinal DESC`;
}
