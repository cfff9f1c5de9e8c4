import { runsWithinQuota } from "@/domain/quotas";
import { database } from "@/lib/server/db";
import { claimBuild } from "./attempts";
import { inTurn, waitsInTurn } from "./turn";
import type { AttemptRow } from "./types";

/**
 * Takes the waiting build whose turn it is, whichever build the worker was woken for: each that waits wakes one worker, so
 * that whoever is overtaken is taken by the wake of the one that overtook it. Builds of a project that runs as many as it may are
 * passed over; the reconciler wakes a worker for them again. Null if none waits that may run.
 */
export async function claimNextBuild(
  workerId: string,
  lease: { readonly leaseS: number; readonly deadlineS: number },
): Promise<AttemptRow | null> {
  for (;;) {
    const [first] = await database().$queryRaw<{ id: string }[]>`
      SELECT b.id FROM build b WHERE ${waitsInTurn} AND ${runsWithinQuota} ORDER BY ${inTurn} LIMIT 1`;
    if (!first) return null;
    const attempt = await claimBuild(first.id, workerId, { ...lease, withinQuota: true });
    // Another worker was faster, or it was cancelled: then somebody else is first.
    if (attempt) return attempt;
  }
}
