import { describe, expect, it } from "vitest";
import type { Prediction } from "../request/predict";
import { type PartResult, planParts, type RowPart, runParts } from "./run-parts";

const answer = ({ first }: RowPart): Prediction => ({
  ok: true,
  status: 200,
  requestId: String(first),
  raw: "",
  outputs: [],
  revision: "1",
  timing: {},
  totalNs: 1,
});

describe("many rows", () => {
  it("are cut into requests of at most so many", () => {
    expect(planParts(10, 4)).toEqual([
      { first: 0, count: 4 },
      { first: 4, count: 4 },
      { first: 8, count: 2 },
    ]);
    expect(planParts(0, 4)).toEqual([]);
    expect(planParts(2, 0)).toHaveLength(2);
  });

  it("are sent a few at a time, each once, whatever fails", async () => {
    const results: PartResult[] = [];
    let underWay = 0;
    let most = 0;
    await runParts(
      planParts(20, 2),
      async (part) => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 1));
        underWay--;
        if (part.first === 6) throw new Error("lost");
        return answer(part);
      },
      {
        parallel: 3,
        signal: new AbortController().signal,
        onResult: (result) => results.push(result),
      },
    );
    expect(most).toBe(3);
    expect(results.map(({ part }) => part.first).sort((a, b) => a - b)).toEqual(
      planParts(20, 2).map(({ first }) => first),
    );
    expect(results.find(({ part }) => part.first === 6)?.failure).toBe("lost");
  });

  it("keep what was answered when they are stopped, and send no more", async () => {
    const results: PartResult[] = [];
    const stop = new AbortController();
    await runParts(
      planParts(100, 1),
      async (part, signal) => {
        if (part.first === 5) stop.abort();
        signal.throwIfAborted();
        return answer(part);
      },
      { parallel: 1, signal: stop.signal, onResult: (result) => results.push(result) },
    );
    expect(results.map(({ part }) => part.first)).toEqual([0, 1, 2, 3, 4]);
  });
});
