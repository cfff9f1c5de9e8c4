import type { Scope } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import type { Tx } from "@/lib/server/db";
import { isFree, type LockedBoard } from "./locked-board";

interface Rival {
  readonly projectId: string;
  readonly person: string | null;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly goesOn: boolean;
}

const clock = (time: Date): string => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Why nobody can ever lease a board, whenever. */
function whyNever({ kind, name, isRemoved }: LockedBoard): AppError | null {
  if (isRemoved)
    return fail("STATE_CONFLICT", `${name} is no longer here.`, {
      hint: "Simulated boards go when nobody has them, has booked them or waits for them: lease any of the model.",
    });
  if (kind === "cpu")
    return fail("BOARD_CANNOT", `${name} is a CPU, which many share: it is never one person's.`, {
      hint: "Lease an FPGA board; a simulated one will do.",
    });
  return null;
}

/** What stands against a board being somebody's over a time, other leases apart: a drain, an endpoint, silence. */
export function whyHeld(
  scope: Scope,
  board: LockedBoard,
  { isNow }: { readonly isNow: boolean },
): AppError | null {
  const never = whyNever(board);
  if (never) return never;
  const { name } = board;
  if (board.isDrained)
    return fail("BOARD_TAKEN", `${name} is drained for maintenance.`, {
      hint: "Wait until it is resumed: ask for a place in its waiting list.",
    });
  const held = board.slots.find(({ endpoint }) => endpoint !== null);
  if (held)
    return fail(
      "BOARD_TAKEN",
      held.endpointProjectId === scope
        ? `The endpoint “${held.endpoint}” has ${name}, without an end.`
        : `An endpoint of another project has ${name}, without an end.`,
      {
        hint: "A board that serves is leased once its endpoint is deleted or on another board: ask for a place in its waiting list, and it comes to you then.",
      },
    );
  if (!isNow) return null;
  if (board.isSilent)
    return fail("BOARD_OFFLINE", `The board server of ${name} has not been heard for a while.`, {
      hint: "See on its host whether it runs and reaches the portal.",
    });
  if (board.slots.length === 0 || !board.slots.every(isFree))
    return fail("BOARD_TAKEN", `${name} is still being emptied.`, {
      hint: "Try again in a moment, or ask for a place in its waiting list.",
    });
  return null;
}

/** Which lease or booking stands against a time, in words that name nobody of another project. */
export async function whyLeased(
  tx: Tx,
  scope: Scope,
  board: LockedBoard,
  { startsAt, minutes, but }: { startsAt: string | null; minutes: number; but?: string },
): Promise<AppError | null> {
  const [rival] = await tx.$queryRaw<Rival[]>`
    SELECT x.project_id AS "projectId", p.name AS person, x.starts_at AS "startsAt", x.expires_at AS "endsAt",
      x.starts_at <= now() AS "goesOn"
    FROM lease x LEFT JOIN "user" p ON p.id = x.user_id
    WHERE x.board_id = ${board.id}::uuid AND x.released_at IS NULL AND x.id IS DISTINCT FROM ${but ?? null}::uuid
      AND x.expires_at > now() AND x.expires_at > coalesce(${startsAt}::timestamptz, now())
      AND x.starts_at < coalesce(${startsAt}::timestamptz, now()) + make_interval(mins => ${minutes})
    ORDER BY x.starts_at LIMIT 1`;
  if (!rival) return null;
  const who = rival.projectId === scope ? (rival.person ?? "Somebody") : "Another project";
  const { name } = board;
  return rival.goesOn
    ? fail("BOARD_TAKEN", `${who} has ${name} until ${clock(rival.endsAt)}.`, {
        hint: "Ask for a place in its waiting list, or book it for later.",
      })
    : fail(
        "BOARD_TAKEN",
        `${who} has booked ${name} from ${clock(rival.startsAt)} to ${clock(rival.endsAt)}.`,
        { hint: "Take it for less time, or for another time." },
      );
}

/** How many others wait for this very board. */
export async function countWaiting(
  tx: Tx,
  board: LockedBoard,
  { scope, userId }: { readonly scope: Scope; readonly userId: string | null },
): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM lease_wait w
    WHERE w.ended_at IS NULL AND NOT (w.project_id = ${scope}::uuid AND w.user_id IS NOT DISTINCT FROM ${userId}::uuid)
      AND (w.board_id = ${board.id}::uuid
        OR (w.board_id IS NULL AND w.board_kind = 'physical' AND w.board_kind = ${board.kind} AND w.board_model = ${board.boardModel}))`;
  return row?.count ?? 0;
}

/** What is said where others were first. */
export const queuedBefore = (board: LockedBoard, count: number): AppError =>
  fail(
    "BOARD_TAKEN",
    count === 1
      ? `Somebody waits for ${board.name}, and comes first.`
      : `${count} people wait for ${board.name}, and come first.`,
    { hint: "Ask for a place in its waiting list." },
  );
