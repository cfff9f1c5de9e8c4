import { describe, expect, it } from "vitest";
import type { BoardState } from "@/lib/common/contract";
import { spansOf } from "./history";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const hour = { from: at(0), to: at(60) };
const change = (minute: number, from: BoardState, to: BoardState) => ({ at: at(minute), from, to });
const shown = (spans: ReturnType<typeof spansOf>) =>
  spans.map(({ state, from, to }) => [
    state,
    (from - hour.from.getTime()) / 60_000,
    (to - from) / 60_000,
  ]);

describe("the spans of an availability", () => {
  it("are one where nothing changed", () => {
    const spans = spansOf({ state: "serving", watchedAt: at(-60), changes: [], ...hour });
    expect(shown(spans)).toEqual([["serving", 0, 60]]);
  });

  it("begin with what the first change left, and with nothing before anybody watched", () => {
    const changes = [change(20, "free", "serving"), change(50, "serving", "offline")];
    const spans = spansOf({ state: "offline", watchedAt: at(10), changes, ...hour });
    expect(shown(spans)).toEqual([
      [null, 0, 10],
      ["free", 10, 10],
      ["serving", 20, 30],
      ["offline", 50, 10],
    ]);
  });

  it("fill the time without gaps, whatever order the clocks of changes are in", () => {
    const changes = [
      change(30, "free", "programming"),
      change(29, "programming", "serving"),
      change(70, "serving", "free"),
    ];
    const spans = spansOf({ state: "free", watchedAt: at(-60), changes, ...hour });
    const sum = spans.reduce((total, { from, to }) => total + to - from, 0);
    expect(sum).toBe(60 * 60_000);
    expect(spans.at(-1)?.to).toBe(hour.to.getTime());
  });

  it("are of a board that was not watched at all none but the unknown", () => {
    const spans = spansOf({ state: "free", watchedAt: at(60), changes: [], ...hour });
    expect(shown(spans)).toEqual([[null, 0, 60]]);
  });
});
