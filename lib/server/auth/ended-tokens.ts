import { logger } from "@/lib/server/logger";
import { listEnded } from "./grants";

/** Revoked tokens end what they opened within a second. */
const everyMs = 500;

const watched = new Map<string, Set<() => void>>();
let timer: NodeJS.Timeout | undefined;

/** Calls back once a token is good no more. @returns Ends the watch. */
export function watchToken(id: string, onEnd: () => void): () => void {
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
    for (const id of await listEnded([...watched.keys()]))
      for (const onEnd of [...(watched.get(id) ?? [])]) onEnd();
  } catch (err) {
    logger().debug({ err }, "tokens cannot be looked at");
  }
}
