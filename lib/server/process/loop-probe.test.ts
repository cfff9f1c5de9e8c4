import { expect, it } from "vitest";
import { watchLoop } from "./loop-probe";

it("tells of an event loop that was held up, and of no other", async () => {
  const told: { code?: string; loopDelayMs?: number; cpuMs?: number }[] = [];
  const watch = watchLoop({ log: { warn: (fields) => told.push(fields) } });
  // Its first look is at an idle loop, unless the machine itself stands still.
  setTimeout(() => {
    const endMs = performance.now() + 350;
    while (performance.now() < endMs);
  }, 50);
  await expect.poll(() => told.length, { timeout: 20_000 }).toBeGreaterThan(0);
  watch.close();
  expect(told[0]?.code).toBe("LOOP_DELAYED");
  expect(told[0]?.loopDelayMs).toBeGreaterThan(100);
  expect(told[0]?.cpuMs).toBeGreaterThanOrEqual(0);
});
