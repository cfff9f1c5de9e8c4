import { database } from "@/lib/server/db";
import { logger } from "@/lib/server/logger";
import { sessionLife } from "./sessions";

/** Revoked tokens and sessions that were signed out of end what they opened within a second. */
const everyMs = 500;

const watched = new Map<string, Set<() => void>>();
let timer: NodeJS.Timeout | undefined;

/**
 * Calls back once a token or a session is good no more.
 *
 * @param id UUID of either.
 * @returns Ends the watch.
 */
export function watchCredential(id: string, onEnd: () => void): () => void {
  const known = watched.get(id) ?? new Set();
  watched.set(id, known.add(onEnd));
  timer ??= setInterval(() => void look(), everyMs).unref();
  return () => {
    known.delete(onEnd);
    if (known.size === 0) watched.delete(id);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

async function look(): Promise<void> {
  try {
    for (const id of await listEndedCredentials([...watched.keys()]))
      for (const onEnd of [...(watched.get(id) ?? [])]) onEnd();
  } catch (err) {
    logger().debug({ err }, "tokens and sessions cannot be looked at");
  }
}

async function listEndedCredentials(ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await database().$queryRaw<{ id: string }[]>`
    SELECT wanted.id::text AS id FROM unnest(${[...ids]}::uuid[]) AS wanted(id)
    WHERE NOT EXISTS (
        SELECT FROM token t WHERE t.id = wanted.id AND t.revoked_at IS NULL AND t.expires_at > now())
      AND NOT EXISTS (
        SELECT FROM session s WHERE s.id = wanted.id AND s.expires_at > now()
          AND s.created_at > now() - make_interval(secs => ${sessionLife.wholeS}))`;
  return rows.map(({ id }) => id);
}
