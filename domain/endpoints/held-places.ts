import { sql, type Tx } from "@/lib/server/db";
import { canTake, silentAfterS } from "./slots";
import type { RevisionView } from "./types";

/**
 * The places that other revisions of an endpoint hold of those that one of its revisions could be loaded in, if they hold all of
 * them: then no other endpoint's end would make room. Places that are being emptied, and those of silent servers, are not held.
 *
 * @returns UUIDs of slots; none where waiting may help.
 */
export async function heldPlaces(
  tx: Tx,
  endpointId: string,
  revision: RevisionView,
): Promise<readonly string[]> {
  const isSimulated = revision.boardKind === "simulated";
  const [places] = await tx.$queryRaw<{ count: number; held: string[] | null }[]>`
    SELECT ${isSimulated ? simulatedCapacity : sql`count(*)::int`} AS count,
      array_agg(l.id::text) FILTER (WHERE EXISTS (
        SELECT 1 FROM slot_assignment a JOIN revision r ON r.id = a.revision_id
        WHERE a.slot_id = l.id AND a.released_at IS NULL AND r.endpoint_id = ${endpointId}::uuid AND r.id <> ${revision.id}::uuid)) AS held
    FROM slot l JOIN board b ON b.id = l.board_id JOIN board_server s ON s.id = b.board_server_id
    WHERE ${isSimulated ? anySimulated : canTake(revision)}`;
  const held = places?.held ?? [];
  return held.length === places?.count ? held : [];
}

/** Simulated boards are made on demand: a board of any model is a place for one of any other. */
const anySimulated = sql`
  b.kind = 'simulated' AND b.removed_at IS NULL
    AND s.heartbeat_at > now() - make_interval(secs => ${silentAfterS})`;

const simulatedCapacity = sql`(
  SELECT coalesce(sum(simulated_capacity), 0)::int FROM board_server
  WHERE heartbeat_at > now() - make_interval(secs => ${silentAfterS}))`;
