import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Backoff, backoffMs } from "./backoff";

const limits = { firstMs: 100, mostMs: 1000 };

describe("backoffMs", () => {
  it.each([
    [1, 100],
    [2, 200],
    [4, 800],
    [5, 1000],
    [5000, 1000],
  ])("pauses after %i failures for %i ms", (failures, pauseMs) => {
    expect(backoffMs(limits, failures)).toBe(pauseMs);
  });
});

describe("Backoff", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    [0, [100, 200, 400]],
    [0.5, [75, 150, 300]],
    [1, [50, 100, 200]],
  ])("takes at most half of a pause away: chance %d", (chance, pauses) => {
    const backoff = new Backoff(limits, () => chance);
    expect(pauses.map(() => backoff.nextMs())).toEqual(pauses);
  });

  it("begins again after a success", () => {
    const backoff = new Backoff(limits, () => 0);
    backoff.nextMs();
    backoff.nextMs();
    expect(backoff.failures).toBe(2);
    backoff.reset();
    expect(backoff.failures).toBe(0);
    expect(backoff.nextMs()).toBe(100);
  });

  it("waits for its pause", async () => {
    const done = vi.fn();
    const waiting = new Backoff(limits, () => 0).wait().then(done);
    await vi.advanceTimersByTimeAsync(99);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(done).toHaveBeenCalled();
  });

  it("ends a wait with the signal, and leaves no timer", async () => {
    const abort = new AbortController();
    const backoff = new Backoff(limits);
    const waiting = backoff.wait(abort.signal);
    abort.abort();
    await waiting;
    await backoff.wait(abort.signal);
    expect(vi.getTimerCount()).toBe(0);
  });
});
