import { describe, expect, it } from "vitest";
import { Recent } from "./recent";

describe("the last five minutes of a model", () => {
  it("are what was counted, slot by slot, however late somebody asks", () => {
    let nowMs = 10_000;
    const recent = new Recent(() => nowMs);
    recent.called();
    recent.succeeded(4, 0.0007);
    recent.succeeded(1, 0.0007);
    nowMs += 4_000;
    recent.called();
    recent.failed();
    nowMs += 60_000;
    const { slotSeconds, known, slots } = recent.view();
    expect({ slotSeconds, known }).toEqual({ slotSeconds: 2, known: 33 });
    expect(slots).toMatchObject([
      { ago: 32, success: 2, fail: 0, rows: 5, calls: 1 },
      { ago: 30, success: 0, fail: 1, rows: 0, calls: 1 },
    ]);
    expect(slots[0]?.seconds.counts[4]).toBe(2);
    expect(slots[0]?.seconds.counts.reduce((a, b) => a + b)).toBe(2);
  });

  it("leave out what is older, and hold no more than five minutes have", () => {
    let nowMs = 0;
    const recent = new Recent(() => nowMs);
    for (let slot = 0; slot < 1000; slot++, nowMs += 2_000) recent.succeeded(1, 60);
    expect(recent.view()).toMatchObject({ known: 150 });
    expect(recent.view().slots).toHaveLength(149);
    expect(recent.view().slots[0]).toMatchObject({ ago: 149, success: 1 });
    nowMs += 300_000;
    expect(recent.view().slots).toEqual([]);
  });
});
