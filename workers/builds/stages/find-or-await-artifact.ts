import { setTimeout as delay } from "node:timers/promises";
import { findDamage, markDamaged, markSound } from "@/domain/artifacts";
import { findReusable, isBuildAlive, type Reusable, takePlan } from "@/domain/builds";
import type { Digest } from "@/lib/common/contract";
import type { ObjectStore } from "@/lib/server/storage";
import { insist } from "../attempt";
import { type AttemptContext, say } from "./attempt-context";

const pollMs = 500;

/**
 * Looks for the artifact of an equal plan: one that is there, or one that another build is making right now, which is
 * waited for. If that one fails or is cancelled, this build takes over. An artifact whose bytes are not what its manifest
 * names is none: it is made again.
 *
 * @returns Null when this build is to make it.
 */
export async function findOrAwaitArtifact(
  context: AttemptContext,
  planDigest: Digest,
  store: ObjectStore,
): Promise<Reusable | null> {
  const { buildId, epoch, signal } = context;
  for (let told = false; ; ) {
    const equalBuildId = await insist(signal, () => takePlan(buildId, epoch, planDigest));
    const sound = await findSound(context, planDigest, store);
    if (sound) return sound;
    if (equalBuildId === null) return null;
    if (!told) say(context, "An equal build runs now: waiting for its artifact.");
    told = true;
    await untilOver(context, equalBuildId);
  }
}

async function findSound(
  context: AttemptContext,
  planDigest: Digest,
  store: ObjectStore,
): Promise<Reusable | null> {
  const { signal } = context;
  const found = await insist(signal, () => findReusable(planDigest));
  if (!found) return null;
  const { artifactDigest, files } = found;
  const wrong = await insist(signal, () => findDamage(store, files));
  await insist(signal, () => (wrong ? markDamaged : markSound)(artifactDigest));
  if (!wrong) return found;
  say(
    context,
    `The artifact of an equal build is damaged: ${wrong.name} is not what was stored. It is made again.`,
    "warning",
  );
  return null;
}

async function untilOver({ signal }: AttemptContext, equalBuildId: string): Promise<void> {
  for (;;) {
    if (!(await insist(signal, () => isBuildAlive(equalBuildId)))) return;
    await delay(pollMs, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  }
}
