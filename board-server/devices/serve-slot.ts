import { chmod } from "node:fs/promises";
import { createServer } from "node:net";
import { fail } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import {
  type AnsweredCall,
  type AnsweredStream,
  type AskedCall,
  answerCalls,
} from "@/lib/server/board-protocol";
import { fault } from "@/lib/server/process";
import type { DeviceAnswer } from "./device";
import type { DirectPlace } from "./slot-place";
import { SlotQueue } from "./slot-queue";
import { slotTiming } from "./slot-timing";

/** A slot whose calls are answered on a socket of its own. */
export interface ServedSlot {
  /** Refuses what waits and what comes; resolves when nothing runs any more, and whoever called has heard of it. */
  leave(): Promise<void>;
}

/** What a slot's call is answered with, and the memory that its model holds, where it can be told. */
type SlotAnswer = DeviceAnswer & Pick<AnsweredCall, "memoryBytes">;

/**
 * Answers the calls of a slot on a socket of its own, one at a time, as its board server would: with the same checks (R8).
 *
 * @param turns Shared with whatever else the model is asked.
 */
export async function serveSlot(
  place: DirectPlace,
  infer: (inputs: readonly Tensor[]) => Promise<SlotAnswer>,
  turns = new SlotQueue(1),
): Promise<ServedSlot> {
  const answer = async (
    { revisionId, slotEpoch, waitMs }: AskedCall,
    inputs: readonly Tensor[],
    signal: AbortSignal,
  ): Promise<AnsweredCall> => {
    if (revisionId !== place.revisionId)
      throw fail("REVISION_MISMATCH", `Slot ${place.slotId} does not hold that revision.`);
    if (slotEpoch !== place.slotEpoch)
      throw fail("SLOT_EPOCH_STALE", `Slot ${place.slotId} is at epoch ${place.slotEpoch}.`);
    return await turns.run(
      async (queuedNs) => {
        // What came together is read before this thread computes: who waits may have been given up meanwhile.
        await Promise.resolve();
        fault("board-server.in-infer");
        const { outputs, clipped = null, timing, memoryBytes } = await infer(inputs);
        return {
          revisionId: place.revisionId,
          outputs,
          timing: slotTiming(queuedNs, timing),
          ...(clipped === null ? {} : { clipped }),
          ...(memoryBytes === undefined ? {} : { memoryBytes }),
        };
      },
      { waitMs, signal },
    );
  };
  const open = new Set<AnsweredStream>();
  const server = createServer((gateway) => {
    const calls = answerCalls(gateway, answer);
    open.add(calls);
    gateway.once("close", () => open.delete(calls));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(place.path, resolve);
  });
  await chmod(place.path, 0o600);
  return {
    async leave() {
      server.close();
      const ended = turns.close(fail("REVISION_MISMATCH", "The design is being unloaded."));
      await Promise.all([ended, ...[...open].map((calls) => calls.close())]);
    },
  };
}
