import { describe, expect, it } from "vitest";
import { clockTimings } from "./clock-timings";

const clock = "clock$SB_IO_IN_$glb_clk";
const edge = `posedge ${clock}`;
const end = (cell: string, ...delay: number[]) => ({ cell, port: "D", event: edge, delay });
const pin = (cell: string) => ({ cell, port: "D" });

/** The slowest path takes 20 ns, of which its register's setup is 0.5 ns. */
const report = {
  fmax: { [clock]: { achieved: 50 } },
  criticalPaths: [
    { from: "<async>", to: edge, path: [] },
    {
      from: edge,
      to: edge,
      path: [{ type: "setup", delay: 0.5, from: pin("late"), to: pin("late") }],
    },
  ],
  netTimings: [
    { event: edge, endpoints: [end("late", 3, 19.5), end("early", 1, 2), end("middle", 8, 9.5)] },
    { event: edge, endpoints: [end("late", 2, 4)] },
    { event: "<async>", endpoints: [end("pin", 99, 99)] },
  ],
};

describe("a clock's slack", () => {
  it("is what the target leaves after the slowest way to each register, setup counted in", () => {
    const [timing] = clockTimings(report, 40);
    expect(timing).toMatchObject({ name: "clock", achievedMhz: 50, targetMhz: 40 });
    // 25 ns a cycle: the slowest leaves 5, those that arrive 10 and 17.5 ns sooner 15 and 22.5.
    const { slack } = timing ?? {};
    expect(slack).toMatchObject({ ends: 3, worstNs: 5, fromNs: 5, binNs: 1 });
    expect(slack?.counts.flatMap((count, bin) => Array(count).fill(5 + bin))).toEqual([5, 15, 22]);
  });

  it("is below 0 where the target is missed", () => {
    expect(clockTimings(report, 100)[0]?.slack?.worstNs).toBe(-10);
  });

  it("is left out where the tool gives no arrivals, and the clock is still there", () => {
    const [timing] = clockTimings({ ...report, netTimings: [] }, 40);
    expect(timing).toEqual({ name: "clock", achievedMhz: 50, targetMhz: 40 });
  });

  it("names clocks as the design does", () => {
    const fmax = { $glbnet$clock$TRELLIS_IO_IN: { achieved: 1 }, clk: { achieved: 1 } };
    expect(clockTimings({ ...report, fmax }, 1).map(({ name }) => name)).toEqual(["clock", "clk"]);
  });
});
