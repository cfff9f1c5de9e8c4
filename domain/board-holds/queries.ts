import type { Scope } from "@/lib/common/contract";
import { sql } from "@/lib/server/db";

/** That a lease `x` goes on, by the database's clock, whether or not anybody has noted its end. */
const goesOn = sql`(x.released_at IS NULL AND x.starts_at <= now() AND x.expires_at > now())`;

/** That somebody has a board `b` now. */
export const isLeased = sql`EXISTS (SELECT 1 FROM lease x WHERE x.board_id = b.id AND ${goesOn})`;

/** That a board `b` is somebody's, booked, or waited for: endpoints are not placed on it, and a simulated one stays. */
export const isKeptForPeople = sql`(
  EXISTS (SELECT 1 FROM lease x WHERE x.board_id = b.id AND x.released_at IS NULL AND x.expires_at > now())
  OR EXISTS (SELECT 1 FROM lease_wait w WHERE w.board_id = b.id AND w.ended_at IS NULL))`;

/** The lease of a board `b` that goes on, as the project may see it: of others only when it ends. Null: nobody has it. */
export const leaseOf = (scope: Scope) => sql`(
  SELECT jsonb_build_object('id', CASE WHEN x.project_id = ${scope}::uuid THEN x.id END, 'until', x.expires_at,
    'isOurs', x.project_id = ${scope}::uuid, 'person', CASE WHEN x.project_id = ${scope}::uuid THEN p.name END)
  FROM lease x LEFT JOIN "user" p ON p.id = x.user_id WHERE x.board_id = b.id AND ${goesOn} LIMIT 1)`;
