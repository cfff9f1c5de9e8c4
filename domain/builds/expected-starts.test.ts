import { describe, expect, it } from "vitest";
import { expectedStarts } from "./expected-starts";

const run = (id: string, startedMs: number, expectedMs: number | null) => ({
  id,
  startedMs,
  expectedMs,
});
const wait = (id: string, expectedMs: number | null) => ({ id, startedMs: null, expectedMs });
const starts = (queue: Parameters<typeof expectedStarts>[0]) => [...expectedStarts(queue)];

describe("expected starts", () => {
  it("are now while a worker is free", () => {
    expect(
      starts({ nowMs: 100, slots: 2, running: [run("a", 0, 500)], waiting: [wait("b", 10)] }),
    ).toEqual([["b", 100]]);
  });

  it("follow one another on the workers that there are", () => {
    const running = [run("a", 0, 300), run("b", 0, 200)];
    const waiting = [wait("c", 50), wait("d", 100), wait("e", 10)];
    expect(starts({ nowMs: 100, slots: 2, running, waiting })).toEqual([
      ["c", 200],
      ["d", 250],
      ["e", 300],
    ]);
  });

  it("are now, not in the past, for one that runs longer than is usual", () => {
    expect(
      starts({ nowMs: 1000, slots: 1, running: [run("a", 0, 10)], waiting: [wait("b", 1)] }),
    ).toEqual([["b", 1000]]);
  });

  it.each([
    ["nobody is alive", 0, [], [wait("b", 1)]],
    ["nothing tells how long the one before takes", 1, [run("a", 0, null)], [wait("b", 1)]],
  ])("are not known while %s", (_, slots, running, waiting) => {
    expect(starts({ nowMs: 5, slots, running, waiting })).toEqual([]);
  });
});
