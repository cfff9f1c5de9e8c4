import { idPrefixes } from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { parseId, type Tx } from "@/lib/server/db";
import type { Asker } from "./locked-board";

/** A lease that goes on, as its holder asks something of the board. */
export interface HeldLease {
  /** UUID. */
  readonly id: string;
  readonly boardName: string;
  readonly isSilent: boolean;
  /** The place that holds what its holder loaded, and serves; null: nothing does. */
  readonly slot: { readonly id: string; readonly epoch: number } | null;
}

interface Row {
  readonly id: string;
  readonly userId: string | null;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly boardName: string;
  readonly isSilent: boolean;
  readonly slotId: string | null;
  readonly epoch: number | null;
}

/**
 * The lease of somebody who has the board now; nobody else learns more of it than that it is not theirs.
 *
 * @throws {AppError} `NOT_FOUND`, `FORBIDDEN`, `LEASE_OVER`; `STATE_CONFLICT` before a booking begins.
 */
export async function getHeldLease(
  db: Pick<Tx, "$queryRaw">,
  { scope, userId }: Asker,
  id: string,
): Promise<HeldLease> {
  const uuid = parseId(idPrefixes.lease, id);
  const [row] = uuid
    ? await db.$queryRaw<Row[]>`
        SELECT x.id, x.user_id AS "userId", x.released_at IS NULL AND x.expires_at > now() AS "isOpen",
          x.starts_at <= now() AS "isActive", b.name AS "boardName",
          coalesce(s.heartbeat_at < now() - interval '15 seconds', true) AS "isSilent", l.id AS "slotId", l.epoch
        FROM lease x JOIN board b ON b.id = x.board_id JOIN board_server s ON s.id = b.board_server_id
        LEFT JOIN slot l ON l.board_id = b.id AND l.state = 'serving' AND l.reported_epoch = l.epoch
          AND l.desired_revision_id IN (SELECT o.id FROM lease_load o WHERE o.lease_id = x.id)
        WHERE x.id = ${uuid}::uuid AND x.project_id = ${scope}::uuid LIMIT 1`
    : [];
  if (!row) throw notFound("lease", id);
  const { boardName, isSilent, slotId, epoch } = row;
  if (row.userId !== userId)
    throw fail("FORBIDDEN", `Somebody else has ${boardName}.`, {
      hint: "Only its holder speaks with a leased board.",
    });
  if (!row.isOpen)
    throw fail("LEASE_OVER", `The lease of ${boardName} is over.`, {
      hint: "Lease the board again, or ask for a place in its waiting list.",
    });
  if (!row.isActive)
    throw fail("STATE_CONFLICT", `The booking of ${boardName} has not begun.`, {
      hint: "Come back when it has.",
    });
  const slot = slotId === null || epoch === null ? null : { id: slotId, epoch };
  return { id: row.id, boardName, isSilent, slot };
}
