import { describe, expect, it } from "vitest";
import type { LogFold, StageName } from "@/lib/common/contract";
import { FoldRows } from "./folds";

const fold = (stage: StageName, first: number, last: number): LogFold => ({
  ...{ stage, first, last, warnings: 0, errors: 0 },
  firstTime: "2026-11-20T12:00:00.000Z",
  lastTime: "2026-11-20T12:00:01.000Z",
});

describe("rows", () => {
  const folds = [fold("fetch", 1, 1), fold("place", 2, 4), fold("pack", 5, 5)];
  const rows = new FoldRows(folds, ({ stage }) => stage === "place");

  it("draws closed folds as one row and open ones with their lines", () => {
    expect(rows.count).toBe(6);
    expect(
      Array.from({ length: 6 }, (_, index) => rows.at(index)).map((row) =>
        row?.kind === "line" ? row.n : row?.fold.stage,
      ),
    ).toEqual(["fetch", "place", 2, 3, 4, "pack"]);
  });

  it("finds the row of a line, or of the fold that hides it", () => {
    expect(rows.indexOf(4)).toBe(4);
    expect(rows.indexOf(1)).toBe(0);
    expect(rows.indexOf(99)).toBe(-1);
  });

  it("finds the row of a header", () => {
    expect(folds.map((each) => rows.headerOf(each))).toEqual([0, 1, 5]);
    expect(rows.headerOf(fold("store", 9, 9))).toBe(-1);
  });

  it("has nothing outside", () => {
    expect(rows.at(6)).toBeNull();
    expect(rows.at(-1)).toBeNull();
  });
});
