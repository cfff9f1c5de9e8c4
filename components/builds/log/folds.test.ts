import { describe, expect, it } from "vitest";
import type { LogLine, StageName } from "@/lib/common/contract";
import { foldsOf, Rows } from "./folds";

const lines = (...stages: readonly (readonly [StageName, LogLine["level"]])[]): LogLine[] =>
  stages.map(([stage, level], index) => ({
    n: index + 1,
    time: new Date(1_800_000_000_000 + index * 100).toISOString(),
    stage,
    stream: "stdout",
    level,
    text: `${stage} ${index}`,
  }));

const log = lines(
  ["fetch", "info"],
  ["place", "info"],
  ["place", "warning"],
  ["place", "error"],
  ["pack", "info"],
);

describe("folds", () => {
  it("counts warnings, errors and time of a stage", () => {
    expect(foldsOf(log)[1]).toEqual({
      stage: "place",
      first: 2,
      last: 4,
      warnings: 1,
      errors: 1,
      durationMs: 200,
    });
  });

  it("gives a stage that runs again a fold of its own", () => {
    expect(foldsOf(lines(["place", "info"], ["pack", "info"], ["place", "info"]))).toHaveLength(3);
  });

  it("goes on where it stopped", () => {
    const first = foldsOf(log.slice(0, 3));
    expect(foldsOf(log, first)).toEqual(foldsOf(log));
  });
});

describe("rows", () => {
  const rows = new Rows(foldsOf(log), ({ stage }) => stage === "place");

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

  it("has nothing outside", () => {
    expect(rows.at(6)).toBeNull();
    expect(rows.at(-1)).toBeNull();
  });
});
