import { logger } from "@/lib/server/logger";

interface Work {
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** What is being done to each slot in the background: one thing at a time, of which the newest wins. */
export class SlotWork {
  private readonly bySlot = new Map<string, Work>();

  /** Replaces what a slot does; the work before is stopped and waited for. */
  begin(slotId: string, run: (signal: AbortSignal) => Promise<void>): void {
    const before = this.bySlot.get(slotId);
    before?.abort.abort();
    const abort = new AbortController();
    const done = (async () => {
      await before?.done;
      if (abort.signal.aborted) return;
      await run(abort.signal);
    })().catch((err: unknown) => logger().error({ err, slotId }, "slot work failed"));
    this.bySlot.set(slotId, { abort, done });
  }

  /** Stops all of it, and waits until it has ended. */
  async close(): Promise<void> {
    for (const { abort } of this.bySlot.values()) abort.abort();
    await Promise.all([...this.bySlot.values()].map(({ done }) => done));
  }
}
