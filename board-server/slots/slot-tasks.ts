import { fail } from "@/lib/common/errors";
import type { TaskCommand, TaskReport } from "@/lib/server/board-protocol";
import { logger } from "@/lib/server/logger";
import type { Slot } from "./slot";
import { problemOf, ToldWork } from "./told-work";

/** A test waits for its turn among requests so long. */
const waitMs = 30_000;

/** What is asked of slots beside what they hold; each is told to the portal until it has heard the end. */
export class SlotTasks {
  private readonly work: ToldWork<TaskReport>;
  private readonly find: (slotId: string) => Slot | undefined;

  constructor(find: (slotId: string) => Slot | undefined, onChange: () => void) {
    this.find = find;
    this.work = new ToldWork(onChange);
  }

  begin(command: TaskCommand): void {
    const running: TaskReport = { id: command.id, state: "running", problem: null };
    this.work.begin(running, () => this.run(command));
  }

  reports(): TaskReport[] {
    return this.work.reports();
  }

  forget(heard: readonly TaskReport[]): void {
    this.work.forget(heard);
  }

  close(): void {
    this.work.close();
  }

  private async run(command: TaskCommand): Promise<TaskReport> {
    const { id, kind, slotId } = command;
    const begun = performance.now();
    const took = () => Math.round(performance.now() - begun);
    try {
      const rows = await this.carryOut(command);
      return { id, state: "succeeded", rows, durationMs: took(), problem: null };
    } catch (err) {
      logger().warn({ err, slotId, task: kind }, "a task failed");
      return { id, state: "failed", durationMs: took(), problem: problemOf(err) };
    }
  }

  private async carryOut({ kind, slotId, slotEpoch }: TaskCommand): Promise<number> {
    const slot = this.find(slotId);
    if (!slot) throw fail("REVISION_MISMATCH", `Slot ${slotId} is not on this server.`);
    if (kind === "self-test")
      return await slot.test(slotEpoch, { waitMs, signal: this.work.signal });
    await slot.blink(slotEpoch);
    return 0;
  }
}
