import { database } from "@/lib/server/db";
import { claimBuild } from "./attempts";
import { inTurn, waitsInTurn } from "./turn";
import type { AttemptRow } from "./types";

/**
 * Takes the waiting build whose turn it is, whichever build the worker was woken for: each that waits wakes one worker, so
 * that whoever is overtaken is taken by the wake of the one that overtook it. Null if none waits.
 */
export async function claimNextBuild(
  workerId: string,
  lease: Parameters<typeof claimBuild>[2],
): Promise<AttemptRow | null> {
  for (;;) {
    const [first] = await database().$queryRaw<{ id: string }[]>`
      SELECT b.id FROM build b WHERE ${waitsInTurn} ORDER BY ${inTurn} LIMIT 1`;
    if (!first) return null;
    const attempt = await claimBuild(first.id, workerId, lease);
    // Another worker was faster, or it was cancelled: then somebody else is first.
    if (attempt) return attempt;
  }
}
