import { describe, expect, it } from "vitest";
import { Pace, PaceOfEach } from "./pace";

function paced(perSecond: number) {
  let nowMs = 0;
  const pace = new Pace("it is asked", () => perSecond, { nowMs: () => nowMs });
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

describe("the pace of a minute", () => {
  it("fills over the minute, and says how long it takes until there is room", () => {
    let nowMs = 0;
    const pace = new Pace("you ask", () => 30, { withinS: 60, nowMs: () => nowMs });
    for (let n = 0; n < 30; n++) pace.take();
    nowMs += 500;
    expect(() => pace.take()).toThrow(
      expect.objectContaining({
        message: "you ask more than 30 times a minute here; slow down",
        details: { retryAfterS: 2 },
      }),
    );
    nowMs += 1500;
    pace.take();
    expect(pace.tryTake()).toBe(2);
    pace.giveBack();
    expect(pace.tryTake()).toBe(0);
  });
});

describe("the pace of each person", () => {
  const words = "each person and each token of this project may ask no";

  it("is their own, and says so", () => {
    const each = new PaceOfEach(words, 1);
    each.of("ada").take();
    each.of("ben").take();
    expect(() => each.of("ada").take()).toThrow(
      "each person and each token of this project may ask no more than 1 times a second here; slow down",
    );
  });

  it("is kept of no more of them than fit", () => {
    const each = new PaceOfEach(words, 1);
    const first = each.of("0");
    for (let n = 1; n < 10_000; n++) each.of(String(n));
    const second = each.of("1");
    each.of("one more");
    expect(each.of("1")).toBe(second);
    expect(each.of("0")).not.toBe(first);
  });
});
