import { describe, expect, it } from "vitest";
import { Bell } from "./bell";

const never = new AbortController().signal;

async function msOf(work: Promise<void>): Promise<number> {
  const started = performance.now();
  await work;
  return performance.now() - started;
}

describe("Bell", () => {
  it("wakes who waits", async () => {
    const bell = new Bell();
    setTimeout(bell.ring, 10);
    expect(await msOf(bell.wait(5000, never))).toBeLessThan(500);
  });

  it("keeps a ring for who comes later, once", async () => {
    const bell = new Bell();
    bell.ring();
    expect(await msOf(bell.wait(5000, never))).toBeLessThan(500);
    expect(await msOf(bell.wait(60, never))).toBeGreaterThan(40);
  });

  it("lets a pause after a failure be a pause", async () => {
    const bell = new Bell();
    setTimeout(bell.ring, 5);
    expect(await msOf(bell.wait(60, never, true))).toBeGreaterThan(40);
  });

  it("ends with its signal", async () => {
    expect(await msOf(new Bell().wait(5000, AbortSignal.timeout(10)))).toBeLessThan(500);
  });
});
