import type { Tx } from "@/lib/server/db";
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

/** Tells of several changes with one statement. @see recordEvent */
export async function recordEvents(
  tx: Tx,
  events: readonly Pick<NewEvent, "projectId" | "noun" | "id">[],
): Promise<void> {
  if (events.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO event (project_id, noun, target_id)
    SELECT "projectId"::uuid, noun, id
    FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb) AS told("projectId" text, noun text, id text)`;
}
