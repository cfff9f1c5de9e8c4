import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cyclone5 } from "./cyclone5";
import { xilinx } from "./xilinx";

// Written by hand after the formats that the tools document; no run of theirs was recorded here.
const recorded = (path: string) => readFileSync(`tests/fixtures/vendor/${path}`, "utf8");
const measure = (family: typeof xilinx, text: (path: string) => string, clockHz: number) =>
  family.vendor?.measure(text, clockHz);

describe("Vivado's reports", () => {
  it("tell what is used, and how fast the clock could be", () => {
    const measured = measure(xilinx, recorded, 100e6);
    expect(measured?.used).toEqual({
      lut: { used: 611, available: 20800 },
      ff: { used: 702, available: 41600 },
      bram: { used: 3, available: 50 },
      dsp: { used: 8, available: 90 },
    });
    expect(measured?.achievedMhz).toBeCloseTo(125);
  });

  it("tell it of UltraScale+, and of versions with fewer columns", () => {
    const text = (path: string) =>
      recorded(path)
        .replaceAll("Slice LUTs", "CLB LUTs")
        .replaceAll("Slice Registers", "CLB Registers*")
        .replaceAll(/^(\|[^|]*\|[^|]*\|[^|]*\|)[^|]*\|([^|]*\|[^|]*\|)$/gm, "$1$2");
    const used = measure(xilinx, text, 100e6)?.used;
    expect(used?.["lut"]).toEqual({ used: 611, available: 20800 });
    expect(used?.["ff"]).toEqual({ used: 702, available: 41600 });
  });

  it("tell of a clock that is missed", () => {
    const text = (path: string) => recorded(path).replace("2.000", "-2.500");
    expect(measure(xilinx, text, 100e6)?.achievedMhz).toBeCloseTo(80);
  });

  it.each([
    { why: "no slack", from: /2\.000/, to: "NA" },
    { why: "no row of multipliers", from: /DSPs/, to: "URAM" },
  ])("are refused with $why", ({ from, to }) => {
    expect(() => measure(xilinx, (path) => recorded(path).replace(from, to), 100e6)).toThrow(
      expect.objectContaining({ reason: "OUTPUT_INVALID" }),
    );
  });
});

describe("Quartus's summaries", () => {
  it("tell what is used, and how fast the clock could be in the worst corner", () => {
    const measured = measure(cyclone5, recorded, 50e6);
    expect(measured?.used).toEqual({
      lut: { used: 1024, available: 41910 },
      bram: { used: 13, available: 553 },
      dsp: { used: 8, available: 112 },
    });
    expect(measured?.achievedMhz).toBeCloseTo(80);
  });

  it.each([
    { why: "no setup slack", from: /Setup/g, to: "Recovery" },
    { why: "no line of RAM", from: /Total RAM Blocks/, to: "RAM" },
  ])("are refused with $why", ({ from, to }) => {
    expect(() => measure(cyclone5, (path) => recorded(path).replace(from, to), 50e6)).toThrow(
      expect.objectContaining({ reason: "OUTPUT_INVALID" }),
    );
  });
});
