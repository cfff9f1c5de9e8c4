import { sql } from "@/lib/server/db";

/** Whether `build b` waits for a worker, in the words of the index "build_in_turn". */
export const waitsInTurn = sql`b.state = 'queued' AND b.cancel_requested_at IS NULL`;

/** Who is taken first: a higher priority, then who has waited longest. One that lost its worker waits anew. */
export const inTurn = sql`b.priority DESC, b.queued_at, b.id`;
