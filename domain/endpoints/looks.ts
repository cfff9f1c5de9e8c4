import { isKeptForPeople } from "@/domain/board-holds";
import { type ErrorData, toErrorData } from "@/lib/common/errors";
import { database, type Tx, withTransaction } from "@/lib/server/db";
import { silentAfterS } from "./slots";

/** The longest pause between two looks at an endpoint at which nothing happens. */
const mostPauseS = 600;
/** Changes of one pass that are taken notice of; the rest is for the next. */
const maxWakes = 10_000;

/** Takes notice of what changed since the last pass: those endpoints are due now. */
export async function wakeEndpoints(): Promise<void> {
  await withTransaction(async (tx) => {
    const woken = await tx.$queryRaw<{ id: string }[]>`
      WITH taken AS (
        DELETE FROM endpoint_wake WHERE id IN (
          SELECT id FROM endpoint_wake ORDER BY id LIMIT ${maxWakes} FOR UPDATE SKIP LOCKED)
        RETURNING endpoint_id)
      SELECT DISTINCT endpoint_id AS id FROM taken`;
    if (woken.length === 0) return;
    const ids = woken.map(({ id }) => id);
    // Locked in one order, so that two of these never wait for each other in a circle.
    await tx.$executeRaw`
      UPDATE endpoint e SET look_at = now(), quiet_looks = 0, failed_looks = 0 FROM (
        SELECT id FROM endpoint WHERE id = ANY(${ids}::uuid[]) AND deleted_at IS NULL ORDER BY id FOR UPDATE) l
      WHERE e.id = l.id`;
  });
}

/**
 * The endpoints to be looked at now, by need: those to be deleted, those that a free place waits for, those of which
 * something changed, and then the others that are due.
 */
export async function listDue(limit: number): Promise<readonly string[]> {
  const db = database();
  const deleting = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM endpoint WHERE deleted_at IS NULL AND delete_requested_at IS NOT NULL AND look_at <= now()
    ORDER BY delete_requested_at LIMIT ${limit}`;
  const placeable = await listPlaceable(limit);
  const due = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM endpoint WHERE deleted_at IS NULL AND delete_requested_at IS NULL AND look_at <= now()
    ORDER BY failed_looks, quiet_looks, look_at LIMIT ${limit}`;
  // What is due gets its share, whatever places there are.
  const first = placeable.slice(0, Math.ceil(limit * 0.8));
  const all = [...deleting, ...first, ...due].map(({ id }) => id);
  return [...new Set(all)].slice(0, limit);
}

/** Endpoints that lack a replica for which there is a place, the oldest first; one on a board that is drained counts as lacking. */
async function listPlaceable(limit: number): Promise<readonly { readonly id: string }[]> {
  const places = await database().$queryRaw<{ kind: string; model: string | null }[]>`
    SELECT DISTINCT b.kind, b.board_model AS model FROM slot l
    JOIN board b ON b.id = l.board_id JOIN board_server s ON s.id = b.board_server_id
    WHERE b.kind <> 'simulated' AND b.removed_at IS NULL AND b.drain IS NULL AND NOT ${isKeptForPeople}
      AND s.heartbeat_at > now() - make_interval(secs => ${silentAfterS})
      AND l.state = 'empty' AND l.command_id IS NULL AND l.desired_revision_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM slot_assignment a WHERE a.slot_id = l.id AND a.released_at IS NULL)
    UNION ALL
    SELECT 'simulated', NULL WHERE EXISTS (
      SELECT 1 FROM board_server s WHERE s.heartbeat_at > now() - make_interval(secs => ${silentAfterS})
        AND s.simulated_capacity > (
          SELECT count(*) FROM board b
          WHERE b.board_server_id = s.id AND b.kind = 'simulated' AND b.removed_at IS NULL))`;
  if (places.length === 0) return [];
  const names = places.map(({ kind, model }) => `${kind} ${model ?? ""}`);
  return await database().$queryRaw<{ id: string }[]>`
    SELECT e.id FROM endpoint e JOIN LATERAL (
      SELECT * FROM revision r WHERE r.endpoint_id = e.id AND r.artifact_digest IS NOT NULL
        AND r.state IN ('building', 'ready') ORDER BY r.turn DESC, r.ordinal DESC LIMIT 1) r ON true
    WHERE e.deleted_at IS NULL AND e.delete_requested_at IS NULL AND (e.failed_looks = 0 OR e.look_at <= now())
      AND (r.board_kind || ' ' || CASE r.board_kind WHEN 'simulated' THEN '' ELSE r.board_model END) = ANY(${names})
      AND (r.board_id IS NULL OR e.look_at <= now())
      AND coalesce((r.request -> 'serving' ->> 'replicas')::int, 1) > (
        SELECT count(*) FROM slot_assignment a JOIN slot l ON l.id = a.slot_id JOIN board b ON b.id = l.board_id
        WHERE a.revision_id = r.id AND a.released_at IS NULL AND b.drain IS DISTINCT FROM 'move')
    ORDER BY e.created_at LIMIT ${limit}`;
}

/**
 * Notes a look, with the transaction that made it.
 *
 * @param soon Something is to be tried again within seconds.
 */
export async function noteLook(
  tx: Tx,
  id: string,
  { changed, soon }: { readonly changed: boolean; readonly soon: boolean },
): Promise<void> {
  const mostS = soon ? 5 : mostPauseS;
  await tx.$executeRaw`
    UPDATE endpoint SET failed_looks = 0, quiet_looks = CASE WHEN ${changed} THEN 0 ELSE quiet_looks + 1 END,
      look_at = CASE WHEN ${changed} THEN now()
        ELSE now() + make_interval(secs => least(${mostS}::float8, power(2, least(quiet_looks, 10)))) END
    WHERE id = ${id}::uuid`;
}

/** Notes that a look failed, for whoever reads the endpoint; the pause before the next grows. */
export async function noteFailure(id: string, error: unknown): Promise<void> {
  const problem: ErrorData = toErrorData(error);
  await database().$executeRaw`
    UPDATE endpoint SET failed_looks = failed_looks + 1,
      look_at = now() + make_interval(secs => least(${mostPauseS}::float8, 5 * power(2, least(failed_looks, 10)))),
      state = CASE WHEN state IN ('building', 'loading', 'testing') THEN 'failed' ELSE state END,
      reason = ${problem.message}, problem = ${JSON.stringify(problem)}::jsonb
    WHERE id = ${id}::uuid AND deleted_at IS NULL`;
}
