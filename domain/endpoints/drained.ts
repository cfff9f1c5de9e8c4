import type { Tx } from "@/lib/server/db";
import { releaseSlot } from "./slots";
import { serves } from "./status";
import type { Replica, RevisionView } from "./types";

/** The replicas that are not to leave a drained board. */
export const stayingOf = (replicas: readonly Replica[]): readonly Replica[] =>
  replicas.filter(({ leaving }) => !leaving);

/**
 * Ends replicas on drained boards once others serve in their place: as many as there should be, or, where there is room for no
 * more, at least one. Until then they answer, so no request is lost. A board that is resumed in the middle leaves more replicas
 * than there should be: those that are too many end too.
 */
export async function leaveDrained(
  tx: Tx,
  revision: RevisionView,
  { hasRoom }: { readonly hasRoom: boolean },
): Promise<void> {
  const { replicas, wanted } = revision;
  const staying = stayingOf(replicas);
  const serving = staying.filter((replica) => serves(replica, revision));
  if (serving.length === 0) return;
  if (serving.length >= wanted || !hasRoom)
    for (const replica of replicas) if (replica.leaving) await releaseSlot(tx, replica);
  if (serving.length < wanted) return;
  const kept = new Set(serving.slice(0, wanted));
  for (const replica of staying) if (!kept.has(replica)) await releaseSlot(tx, replica);
}
