import { describe, expect, it } from "vitest";
import { preferredWaitMs } from "./preferred-wait";

const asked = (prefer?: string) =>
  preferredWaitMs(new Request("http://x", { headers: prefer ? { prefer } : {} }), 10_000);

describe("how long a caller would wait", () => {
  it.each([
    [undefined, 10_000, "nothing is asked"],
    ["wait=0", 0, "not at all"],
    ["wait=3", 3000, "shorter"],
    ["respond-async, wait=2", 2000, "among others"],
    ['Wait = "4"; x', 4000, "quoted, with a parameter"],
    ["wait=600", 10_000, "never longer"],
    ["wait=soon", 10_000, "no number"],
    ["await=1", 10_000, "another word"],
  ])("is, of %s, %i ms: %s", (prefer, ms, _why) => {
    expect(asked(prefer)).toBe(ms);
  });
});
