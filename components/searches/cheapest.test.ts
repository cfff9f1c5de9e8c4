import { describe, expect, it } from "vitest";
import type { PrecisionTry } from "@/lib/common/contract";
import { cheapestOf } from "./cheapest";

const tried = (cells: number, change: Partial<PrecisionTry> = {}): PrecisionTry => ({
  ...{ inputBits: 8, weightBits: [8], activationBits: 8, agreement: 0.99, accuracy: null },
  ...{ holds: true, fits: true, cells, bramBlocks: 1, latencyCycles: 100, architecture: "array" },
  ...change,
});

describe("the try to recommend", () => {
  it("is the one with the fewest cells of those that hold, whatever its bits", () => {
    expect(cheapestOf({ tries: [tried(1295), tried(2616)] })).toBe(0);
    expect(cheapestOf({ tries: [tried(1295), tried(900, { holds: false })] })).toBe(0);
  });

  it("is the one with fewer bits where cells are equal", () => {
    expect(cheapestOf({ tries: [tried(1000), tried(1000)] })).toBe(1);
  });

  it("fits, if any does", () => {
    const large = tried(6000, { fits: false });
    expect(cheapestOf({ tries: [tried(7000), large] })).toBe(0);
    expect(cheapestOf({ tries: [tried(7000, { fits: false }), large] })).toBe(1);
  });

  it("is none where none holds", () => {
    expect(cheapestOf({ tries: [tried(1, { holds: false })] })).toBeNull();
  });
});
