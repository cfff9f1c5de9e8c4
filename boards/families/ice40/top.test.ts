import { describe, expect, it } from "vitest";
import { getBoardModel } from "../../registry";
import { clockLadder, nextpnrArgs, synthCommand } from "./flow";
import { renderTop } from "./top";

const board = getBoardModel("icebreaker");
const verilogAt = (clockHz: number) => renderTop({ board, clockHz, baud: 1e6 }).get("top.v") ?? "";

describe("renderTop", () => {
  it("binds every port of the top to its pin, and no other", () => {
    const files = renderTop({ board, clockHz: 48e6, baud: 1e6 });
    expect([...files.keys()]).toEqual(["top.v", "top.pcf"]);
    expect(files.get("top.pcf")?.trim().split("\n")).toEqual([
      "set_io clock 35",
      "set_io rx 6",
      "set_io tx 9",
      "set_io led0 11",
      "set_io led1 37",
    ]);
    const ports = [...(files.get("top.v") ?? "").matchAll(/^ {2}(?:in|out)put (\w+)/gm)];
    expect(ports.map(([, name]) => name)).toEqual(["clock", "rx", "tx", "led0", "led1"]);
  });

  it.each(board.standardClocksHz)("makes the standard clock of %d Hz exactly", (clockHz) => {
    const verilog = verilogAt(clockHz);
    expect(verilog).toContain(`.CLOCK_HZ(${clockHz})`);
    expect(verilog.includes("SB_PLL40_PAD")).toBe(clockHz !== 12e6);
  });

  it.each(board.standardClocksHz)(
    "holds reset at least 10 us at %d Hz, without a button",
    (clockHz) => {
      const verilog = verilogAt(clockHz);
      const bits = Number(/reg \[(\d+):0\] waited/.exec(verilog)?.[1]) + 1;
      expect(2 ** bits / clockHz).toBeGreaterThan(10e-6);
      expect(verilog).not.toMatch(/button|resetn/i);
    },
  );

  it.each([
    { why: "a clock the PLL misses", clockHz: 47e6 + 1, baud: 1e6 },
    { why: "a baud rate too far from any divider", clockHz: 12e6, baud: 2.2e6 },
    { why: "a baud rate above a quarter of the clock", clockHz: 12e6, baud: 6e6 },
  ])("refuses $why", ({ clockHz, baud }) => {
    expect(() => renderTop({ board, clockHz, baud })).toThrow(
      expect.objectContaining({ reason: "OPTION_INVALID" }),
    );
  });

  it.each(["ulx3s-25f", "icesugar", "cpu"])("refuses %s, which has no flow here", (id) => {
    expect(() => renderTop({ board: getBoardModel(id), clockHz: 12e6, baud: 1e6 })).toThrow(
      expect.objectContaining({ reason: "FLOW_UNSUPPORTED" }),
    );
  });
});

describe("the flow", () => {
  it("cuts the ladder at what is believed, and keeps the slowest rung", () => {
    expect(clockLadder(board, 60e6)).toEqual([48e6, 36e6, 24e6, 12e6]);
    expect(clockLadder(board, 40e6)).toEqual([36e6, 24e6, 12e6]);
    expect(clockLadder(board, 5e6)).toEqual([12e6]);
  });

  it("names device, package and clock to the tools", () => {
    const files = { json: "a.json", pcf: "a.pcf", asc: "a.asc", report: "r.json" };
    const args = nextpnrArgs(board.part, { ...files, clockHz: 36e6 }).join(" ");
    expect(args).toContain("--up5k --package sg48");
    expect(args).toContain("--freq 36 --seed 1");
    expect(synthCommand(board.part, "top", "a.json")).toBe(
      "synth_ice40 -dsp -top top -json a.json",
    );
  });
});
