import { describe, expect, it } from "vitest";
import { Pace } from "./pace";

function paced(perSecond: number) {
  let nowMs = 0;
  const pace = new Pace(perSecond, () => nowMs);
  return {
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** How many of so many requests are taken. */
    ask(count: number): number {
      let taken = 0;
      for (let n = 0; n < count; n++) {
        try {
          pace.take();
          taken++;
        } catch (error) {
          expect(error).toMatchObject({ code: "resource_exhausted", reason: "RATE_LIMITED" });
        }
      }
      return taken;
    },
  };
}

describe("the pace of a project", () => {
  it("lets the requests of a second through at once, and no more", () => {
    const { ask, pass } = paced(10);
    expect(ask(25)).toBe(10);
    pass(100);
    expect(ask(5)).toBe(1);
    pass(60_000);
    expect(ask(25)).toBe(10);
  });

  it("comes to what it says over a longer time, however often it is asked", () => {
    const { ask, pass } = paced(3);
    ask(3);
    let taken = 0;
    for (let n = 0; n < 1000; n++) {
      pass(10);
      taken += ask(2);
    }
    expect(taken).toBeGreaterThanOrEqual(29);
    expect(taken).toBeLessThanOrEqual(30);
  });
});
