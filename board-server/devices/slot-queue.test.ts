import { describe, expect, it } from "vitest";
import { fail } from "@/lib/common/errors";
import { maxQueued, SlotQueue } from "./slot-queue";

const patient = () => ({ waitMs: 60_000, signal: new AbortController().signal });

/** A task that ends when told. */
function makeTask() {
  let end = (): void => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => done, end };
}

describe("a slot's queue", () => {
  it("runs as many as it may at a time, the others in order of coming", async () => {
    const queue = new SlotQueue(2);
    const tasks = Array.from({ length: 4 }, makeTask);
    const began: number[] = [];
    const runs = tasks.map(({ run }, index) =>
      queue.run(() => {
        began.push(index);
        return run();
      }, patient()),
    );
    await Promise.resolve();
    expect(began).toEqual([0, 1]);
    tasks[1]?.end();
    await runs[1];
    await expect.poll(() => began).toEqual([0, 1, 2]);
    for (const { end } of tasks) end();
    await Promise.all(runs);
    expect(began).toEqual([0, 1, 2, 3]);
  });

  it("refuses one more than it holds, at once", async () => {
    const queue = new SlotQueue(1);
    const first = makeTask();
    const running = queue.run(first.run, patient());
    const waiting = Array.from({ length: maxQueued }, () => queue.run(async () => {}, patient()));
    await expect(queue.run(async () => {}, patient())).rejects.toMatchObject({
      reason: "QUEUE_FULL",
    });
    first.end();
    await Promise.all([running, ...waiting]);
  });

  it("never begins a task whose caller left or whose time is over", async () => {
    const queue = new SlotQueue(1);
    const first = makeTask();
    const running = queue.run(first.run, patient());
    const gone = new AbortController();
    let began = 0;
    const count = async () => {
      began++;
    };
    const left = queue.run(count, { waitMs: 60_000, signal: gone.signal });
    const late = queue.run(count, { ...patient(), waitMs: 5 });
    gone.abort();
    await expect(left).rejects.toMatchObject({ reason: "CANCELLED" });
    await expect(late).rejects.toMatchObject({ reason: "QUEUE_TIMEOUT" });
    first.end();
    await running;
    expect(began).toBe(0);
    await queue.run(count, patient());
    expect(began).toBe(1);
  });

  it("tells how long a task waited", async () => {
    const queue = new SlotQueue(1);
    expect(await queue.run(async (queuedNs) => queuedNs, patient())).toBe(0);
    const first = makeTask();
    const running = queue.run(first.run, patient());
    const waited = queue.run(async (queuedNs) => queuedNs, patient());
    first.end();
    await running;
    expect(await waited).toBeGreaterThan(0);
  });

  it("goes on after a task that failed", async () => {
    const queue = new SlotQueue(1);
    const failing = queue.run(async () => {
      throw new Error("broken");
    }, patient());
    const next = queue.run(async () => "fine", patient());
    await expect(failing).rejects.toThrow("broken");
    expect(await next).toBe("fine");
  });

  it("closes when what runs has ended, refusing all else", async () => {
    const queue = new SlotQueue(1);
    const first = makeTask();
    const running = queue.run(first.run, patient());
    const waiting = queue.run(async () => {}, patient());
    const closed = queue.close(fail("REVISION_MISMATCH", "moved"));
    await expect(waiting).rejects.toMatchObject({ reason: "REVISION_MISMATCH" });
    await expect(queue.run(async () => {}, patient())).rejects.toMatchObject({
      reason: "REVISION_MISMATCH",
    });
    first.end();
    await Promise.all([running, closed]);
  });
});
