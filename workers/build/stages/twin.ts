import { setTimeout as delay } from "node:timers/promises";
import { findReusable, getBuildState, takePlan } from "@/domain/builds";
import type { Digest } from "@/lib/common/contract";
import { insist } from "../attempt";
import { type AttemptContext, say } from "./attempt-context";

const pollMs = 500;

/**
 * Looks for the artifact of an equal plan: one that is there, or one that another build is making right now, which is
 * waited for. If that one fails or is cancelled, this build takes over.
 *
 * @returns Null when this build is to make it.
 */
export async function findOrAwaitArtifact(
  context: AttemptContext,
  planDigest: Digest,
): Promise<{ readonly artifactDigest: string; readonly fromBuildId: string } | null> {
  const { buildId, epoch, signal } = context;
  for (let told = false; ; ) {
    const twin = await insist(signal, () => takePlan(buildId, epoch, planDigest));
    const reusable = await insist(signal, () => findReusable(planDigest));
    if (reusable) return { artifactDigest: reusable.artifactDigest, fromBuildId: reusable.buildId };
    if (twin === null) return null;
    if (!told) say(context, "An equal build runs now: waiting for its artifact.");
    told = true;
    await untilOver(context, twin);
  }
}

async function untilOver({ signal }: AttemptContext, twin: string): Promise<void> {
  for (;;) {
    const state = await insist(signal, () => getBuildState(twin));
    if (!state?.alive) return;
    await delay(pollMs, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  }
}
