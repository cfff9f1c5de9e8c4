import { describe, expect, it, vi } from "vitest";
import type { Stage } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { StageTracker } from "./stages";

function setUp(save?: (stages: readonly Stage[]) => Promise<void>) {
  const saved: (readonly Stage[])[] = [];
  const clock = { now: 1000 };
  const lines = new Map<string, { first: number; last: number }>();
  const tracker = new StageTracker({
    now: () => clock.now,
    linesOf: (name) => lines.get(name) ?? null,
    save: save ?? (async (each) => void saved.push(each)),
  });
  const of = (name: string) => tracker.snapshot().find((stage) => stage.name === name);
  return { tracker, stages: tracker.track(), saved, clock, lines, of };
}

describe("StageTracker", () => {
  it("begins with all nine stages waiting", () => {
    expect(
      setUp()
        .tracker.snapshot()
        .map(({ state }) => state),
    ).toEqual(Array(9).fill("waiting"));
  });

  it("measures a stage and says which lines are its own", async () => {
    const { tracker, stages, saved, clock, lines, of } = setUp();
    stages.enter("fetch");
    clock.now += 40;
    lines.set("fetch", { first: 1, last: 3 });
    stages.enter("inspect");
    expect(of("fetch")).toMatchObject({
      state: "succeeded",
      durationMs: 40,
      firstLine: 1,
      lastLine: 3,
    });
    expect(of("inspect")).toMatchObject({ state: "running", durationMs: null, firstLine: null });
    stages.leave("failed");
    expect(of("inspect")).toMatchObject({ state: "failed", durationMs: 0, lastLine: null });
    await tracker.flush();
    expect(saved.at(-1)).toEqual(tracker.snapshot());
  });

  it("adds up a stage that a ladder of clocks enters twice", () => {
    const { stages, clock, of } = setUp();
    for (const name of ["place", "simulate", "place", "pack"] as const) {
      stages.enter(name);
      clock.now += 100;
    }
    expect(of("place")).toMatchObject({ durationMs: 200, state: "succeeded" });
  });

  it("keeps each run apart, with the clock that it was for and what became of it", () => {
    const { stages, of } = setUp();
    stages.enter("synthesise");
    stages.tryClock(48e6);
    stages.enter("place");
    const beside = stages.fork();
    beside.enter("simulate");
    beside.leave("succeeded");
    stages.judgeClock({ achievedMhz: 46.5, isMet: false });
    stages.tryClock(42e6);
    stages.enter("place");
    stages.endTry();
    stages.enter("pack");
    const clocks = (name: string) => of(name)?.runs?.map(({ clock }) => clock);
    expect(clocks("synthesise")).toEqual([undefined]);
    const missed = { hz: 48e6, achievedMhz: 46.5, isMet: false };
    expect(clocks("simulate")).toEqual([missed]);
    expect(clocks("place")).toEqual([missed, { hz: 42e6, achievedMhz: null, isMet: null }]);
    expect(clocks("pack")).toEqual([undefined]);
  });

  it("runs stages of two lines of work side by side, and tells why one was broken off", () => {
    const { stages, clock, of } = setUp();
    stages.enter("place");
    const beside = stages.fork();
    beside.enter("verify");
    clock.now += 100;
    expect([of("place")?.state, of("verify")?.state]).toEqual(["running", "running"]);
    beside.leave("failed");
    clock.now += 20;
    stages.breakOff("verify failed");
    expect(of("place")).toMatchObject({
      state: "skipped",
      reason: "verify failed",
      durationMs: 120,
    });
    expect(of("verify")).toMatchObject({ state: "failed", durationMs: 100 });
    expect([stages.current, beside.current]).toEqual([null, null]);
  });

  it("marks what never ran as skipped", () => {
    const { tracker, stages, of } = setUp();
    stages.enter("fetch");
    stages.leave("succeeded");
    tracker.skipRest();
    expect([of("fetch")?.state, of("verify")?.state]).toEqual(["succeeded", "skipped"]);
  });

  it("saves the newest state when the store is back", async () => {
    let away = true;
    const save = vi.fn(async (_: readonly Stage[]) => {
      if (away) throw fail("STORE_UNAVAILABLE", "away");
    });
    const { tracker, stages } = setUp(save);
    stages.enter("fetch");
    await expect.poll(() => save).toHaveBeenCalled();
    stages.enter("inspect");
    away = false;
    await tracker.flush();
    expect(save.mock.lastCall?.[0]).toEqual(tracker.snapshot());
  });

  it("stops saving when the lease is lost", async () => {
    const save = vi.fn(async () => {
      throw fail("LEASE_LOST", "newer epoch");
    });
    const { tracker, stages } = setUp(save);
    stages.enter("fetch");
    await tracker.flush();
    stages.enter("inspect");
    await tracker.flush();
    expect(save).toHaveBeenCalledOnce();
  });
});
