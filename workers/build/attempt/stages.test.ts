import { describe, expect, it, vi } from "vitest";
import type { Stage } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { StageTracker } from "./stages";

function setUp(save?: (stages: readonly Stage[]) => Promise<void>) {
  const saved: (readonly Stage[])[] = [];
  const clock = { now: 1000, line: 0 };
  const stages = new StageTracker({
    now: () => clock.now,
    lastLine: () => clock.line,
    save: save ?? (async (each) => void saved.push(each)),
  });
  const of = (name: string) => stages.snapshot().find((stage) => stage.name === name);
  return { stages, saved, clock, of };
}

describe("StageTracker", () => {
  it("begins with all nine stages waiting", () => {
    expect(
      setUp()
        .stages.snapshot()
        .map(({ state }) => state),
    ).toEqual(Array(9).fill("waiting"));
  });

  it("measures a stage and says which lines are its own", async () => {
    const { stages, saved, clock, of } = setUp();
    stages.enter("fetch");
    clock.now += 40;
    clock.line = 3;
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
    await stages.flush();
    expect(saved.at(-1)).toEqual(stages.snapshot());
  });

  it("adds up a stage that a ladder of clocks enters twice", () => {
    const { stages, clock, of } = setUp();
    for (const name of ["place", "simulate", "place", "pack"] as const) {
      stages.enter(name);
      clock.now += 100;
      clock.line += 10;
    }
    expect(of("place")).toMatchObject({ durationMs: 200, firstLine: 1, lastLine: 30 });
  });

  it("marks what never ran as skipped", () => {
    const { stages, of } = setUp();
    stages.enter("fetch");
    stages.leave("succeeded");
    stages.skipRest();
    expect([of("fetch")?.state, of("verify")?.state]).toEqual(["succeeded", "skipped"]);
  });

  it("saves the newest state when the store is back", async () => {
    let away = true;
    const save = vi.fn(async (_: readonly Stage[]) => {
      if (away) throw fail("STORE_UNAVAILABLE", "away");
    });
    const { stages } = setUp(save);
    stages.enter("fetch");
    await vi.waitFor(() => expect(save).toHaveBeenCalled());
    stages.enter("inspect");
    away = false;
    await stages.flush();
    expect(save.mock.lastCall?.[0]).toEqual(stages.snapshot());
  });

  it("stops saving when the lease is lost", async () => {
    const save = vi.fn(async () => {
      throw fail("LEASE_LOST", "newer epoch");
    });
    const { stages } = setUp(save);
    stages.enter("fetch");
    await stages.flush();
    stages.enter("inspect");
    await stages.flush();
    expect(save).toHaveBeenCalledOnce();
  });
});
