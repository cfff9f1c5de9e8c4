import { isLeased } from "@/domain/board-holds";
import { sql } from "@/lib/server/db";

/** That a board server `s` was not heard for a while. */
export const isSilent = sql`coalesce(s.heartbeat_at < now() - interval '15 seconds', true)`;

/** That a slot `l` is empty, nobody's, and told nothing. */
export const isFreeSlot = sql`(l.state = 'empty' AND l.command_id IS NULL AND l.desired_revision_id IS NULL
  AND NOT EXISTS (SELECT 1 FROM slot_assignment h WHERE h.slot_id = l.id AND h.released_at IS NULL))`;

/** Beside a board `b`: what its slots say together, as `o`. */
export const slotSummary = sql`CROSS JOIN LATERAL (
  SELECT count(*)::int AS slots, count(*) FILTER (WHERE ${isFreeSlot})::int AS free,
    coalesce(bool_or(l.state IN ('unreachable', 'unknown') OR l.problem ->> 'message' IS NOT NULL), false) AS broken,
    coalesce(bool_or(l.command_id IS NOT NULL OR l.state IN ('loading', 'testing')), false) AS busy,
    coalesce(bool_or(l.state = 'serving'), false) AS serving
  FROM slot l WHERE l.board_id = b.id) o`;

/**
 * The state of a board `b` on a server `s` with the summary `o`: that of its slots, the worst news first. What goes on in a lease
 * is its holder's own business.
 */
export const stateOfBoard = sql`CASE WHEN ${isSilent} THEN 'offline' WHEN ${isLeased} THEN 'leased' WHEN o.broken THEN 'degraded'
  WHEN o.busy THEN 'programming' WHEN o.serving THEN 'serving' ELSE 'free' END`;
