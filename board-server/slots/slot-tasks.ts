import { fail, isAppError } from "@/lib/common/errors";
import type { TaskCommand, TaskReport } from "@/lib/server/board-protocol";
import { logger } from "@/lib/server/logger";
import type { Slot } from "./slot";

/** A test waits for its turn among requests so long. */
const waitMs = 30_000;

/** What is asked of slots beside what they hold; each is told to the portal until it has heard the end. */
export class SlotTasks {
  private readonly byId = new Map<string, TaskReport>();
  private readonly closed = new AbortController();
  private readonly find: (slotId: string) => Slot | undefined;
  private readonly onChange: () => void;

  constructor(find: (slotId: string) => Slot | undefined, onChange: () => void) {
    this.find = find;
    this.onChange = onChange;
  }

  /** Begins a task, unless it is known: a poll whose answer was lost brings it again. */
  begin(command: TaskCommand): void {
    if (this.byId.has(command.id)) return;
    this.byId.set(command.id, { id: command.id, state: "running", problem: null });
    void this.run(command);
  }

  reports(): TaskReport[] {
    return [...this.byId.values()];
  }

  /** Those that were over when the portal heard of them. */
  forget(heard: readonly TaskReport[]): void {
    for (const { id, state } of heard) if (state !== "running") this.byId.delete(id);
  }

  /** A task that waits for its turn waits no longer. */
  close(): void {
    this.closed.abort();
  }

  private async run(command: TaskCommand): Promise<void> {
    const { id, kind, slotId } = command;
    const begun = performance.now();
    const took = () => Math.round(performance.now() - begun);
    try {
      const rows = await this.carryOut(command);
      this.byId.set(id, { id, state: "succeeded", rows, durationMs: took(), problem: null });
    } catch (err) {
      const problem = isAppError(err)
        ? { reason: err.reason, message: err.message }
        : { reason: "INTERNAL", message: "It failed on the board server." };
      logger().warn({ err, slotId, task: kind }, "a task failed");
      this.byId.set(id, { id, state: "failed", durationMs: took(), problem });
    }
    if (!this.closed.signal.aborted) this.onChange();
  }

  private async carryOut({ kind, slotId, slotEpoch }: TaskCommand): Promise<number> {
    const slot = this.find(slotId);
    if (!slot) throw fail("REVISION_MISMATCH", `Slot ${slotId} is not on this server.`);
    if (kind === "self-test")
      return await slot.test(slotEpoch, { waitMs, signal: this.closed.signal });
    await slot.blink(slotEpoch);
    return 0;
  }
}
