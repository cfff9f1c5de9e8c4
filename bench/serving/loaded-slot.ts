import { Slot } from "@/board-server/slots/slot";
import type { LoadCommand } from "@/lib/server/board-protocol";

/** A slot that nobody commands: it serves what it is given under this revision, and ever will. */
export function slotFor(slotId: string, revisionId: string, artifactDigest: string): Slot {
  const report = {
    slotId,
    slotEpoch: 1,
    state: "empty",
    revisionId: null,
    artifactDigest: null,
    commandId: null,
    problem: null,
  } as const;
  return new Slot(report, { revisionId, artifactDigest } as LoadCommand);
}
