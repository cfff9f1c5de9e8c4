import { type Tx, toId } from "@/lib/server/db";
import type { NewEvent } from "./types";

/**
 * Tells the event stream of a change, with the transaction that makes it. Events are numbered in order of commit, so
 * whoever records one holds up all others: let it be the last thing a transaction does.
 *
 * @throws A unique violation on `event_once_key_key` when the same thing was told before.
 */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO event (project_id, noun, target_id, once_key)
    VALUES (${event.projectId}::uuid, ${event.noun}, ${event.id}, ${event.onceKey ?? null})`;
}

/** Tells of boards that changed, by their rows' ids, with one statement. @see recordEvent */
export async function recordBoardEvents(tx: Tx, boardIds: ReadonlySet<string>): Promise<void> {
  if (boardIds.size === 0) return;
  const ids = [...boardIds].map((id) => toId("brd", id));
  await tx.$executeRaw`
    INSERT INTO event (noun, target_id) SELECT 'board', unnest(${ids}::text[])`;
}
