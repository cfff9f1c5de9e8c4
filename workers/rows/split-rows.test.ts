import { describe, expect, it } from "vitest";
import { readRows } from "@/lib/common/rows";
import { splitRows } from "./split-rows";

const read = (csv: string) => readRows(new TextEncoder().encode(csv), 2, "test.csv").rows;
const rows = read("a,b,label\n1,2,0\n3,4,1\n5,6,2\n");

describe("splitRows", () => {
  it("holds all rows back where the card gives the range", () => {
    const { calibration, heldBack } = splitRows(rows, { inputRange: { min: [0], max: [9] } });
    expect(calibration).toBeNull();
    expect([...(heldBack?.values ?? [])]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...(heldBack?.labels ?? [])]).toEqual([0, 1, 2]);
  });

  it("never measures with a row that calibrated", () => {
    const { calibration, heldBack } = splitRows(rows, null);
    expect([...(calibration?.values ?? [])]).toEqual([1, 2, 5, 6]);
    expect([...(heldBack?.values ?? [])]).toEqual([3, 4]);
    expect([...(heldBack?.labels ?? [])]).toEqual([1]);
  });

  it("has none to hold back of a single row", () => {
    expect(splitRows(read("1,2\n"), null)).toMatchObject({
      calibration: { count: 1 },
      heldBack: null,
    });
  });
});
