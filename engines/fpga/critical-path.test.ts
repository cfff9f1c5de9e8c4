import { describe, expect, it } from "vitest";
import { criticalPathOf } from "./critical-path";

const pin = (cell: string) => ({ cell, port: "Q", loc: [1, 2] });
const hop = (type: string, delay: number, from: string, to: string, net?: string) => ({
  type,
  delay,
  from: pin(from),
  to: pin(to),
  ...(net === undefined ? {} : { net }),
});
const sum = "shell.core.drain_7_DFFR_Q_17_D_ALU_SUM_CIN";
const slow = [
  hop(
    "clk-to-q",
    0.458,
    "shell.core.accumulator_7_DFFRE_Q_3",
    "shell.core.accumulator_7_DFFRE_Q_3",
  ),
  hop("routing", 3.213, "shell.core.accumulator_7_DFFRE_Q_3", sum, "shell.core.accumulator_7[3]"),
  hop("logic", 1.044, sum, sum),
  hop("routing", 0, sum, sum, "shell.core.drain_7_CARRY"),
  hop("logic", 0.057, sum, sum),
  hop("routing", 0.9, sum, "rst_LUT4_I0", "rst_SB_LUT4"),
  hop("setup", 0.1, "rst_LUT4_I0", "rst_LUT4_I0"),
];

describe("the critical path", () => {
  it("is the slowest between registers, with carry chains drawn together and mapping's names left out", () => {
    const path = criticalPathOf([
      { from: "posedge clk", to: "posedge clk", path: slow.slice(0, 2) },
      { from: "posedge clk", to: "posedge clk", path: slow },
      { from: "<async>", to: "posedge clk", path: [hop("routing", 99, "rx", "rx", "rx")] },
    ]);
    expect(path).toEqual({
      totalNs: 5.772,
      steps: [
        { signal: "accumulator_7", module: "core", routingNs: 0, logicNs: 0.458 },
        { signal: "accumulator_7", module: "core", routingNs: 3.213, logicNs: 1.101 },
        { signal: "rst", module: "top", routingNs: 0.9, logicNs: 0.1 },
      ],
    });
  });

  it("is nothing where no path is between registers", () => {
    expect(criticalPathOf([])).toBeNull();
    expect(criticalPathOf([{ from: "<async>", to: "<async>", path: slow }])).toBeNull();
  });
});
