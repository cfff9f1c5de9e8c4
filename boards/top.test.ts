import { describe, expect, it } from "vitest";
import { findFamily, getFamily } from "./families";
import { getBoardModel, listBoardModels } from "./registry";
import { blankClock, clockLadder, powerOnCycles, renderClock, renderTop } from "./top";

const board = getBoardModel("icebreaker");
const options = { board, baud: 1e6, highestHz: 48e6 };
const headersOf = (verilog: string) => verilog.match(/^module .*;$/gm);
/** Boards that are spoken to over a serial line. */
const buildable = listBoardModels().flatMap((each) => {
  const [link] = each.links;
  return findFamily(each.part) && link?.kind === "uart" ? [{ board: each, link }] : [];
});

describe("renderTop", () => {
  it("binds every port of the top to its pin, and no other", () => {
    const files = renderTop(options);
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

  it("knows 28 boards of six families", () => {
    expect(buildable).toHaveLength(28);
    expect(new Set(buildable.map((each) => each.board.part.family))).toEqual(
      new Set(["ice40", "ecp5", "gowin", "nexus", "xilinx7", "cyclone5"]),
    );
  });

  it.each(buildable)("makes each clock of $board.id exactly, and its baud rate", (each) => {
    const { standardClocksHz } = each.board;
    const [highestHz = 0] = standardClocksHz;
    const options = { board: each.board, baud: each.link.baud, highestHz };
    expect(standardClocksHz).toEqual([...standardClocksHz].sort((a, b) => b - a));
    const top = renderTop(options).get("top.v") ?? "";
    const resetBits = Number(/reg \[(\d+):0\] waited/.exec(top)?.[1]) + 1;
    const dividerBits = Number(/\.DIVIDER_BITS\((\d+)\)/.exec(top)?.[1]);
    expect(powerOnCycles(each.board)).toBeGreaterThan(2 ** resetBits);
    for (const clockHz of standardClocksHz) {
      const clock = renderClock(options, clockHz);
      const [, bits = ""] = /last_clock = \{(.*)\};/.exec(clock) ?? [];
      const lastClock = Number.parseInt(bits.replaceAll(/1'b|, /g, ""), 2);
      expect(bits.split(", ")).toHaveLength(dividerBits);
      expect(lastClock + 1).toBe(Math.round(clockHz / each.link.baud));
      expect(2 ** resetBits / clockHz, "reset is held at least 10 us").toBeGreaterThan(10e-6);
      expect(headersOf(clock), "every clock fits the blanks").toEqual(
        headersOf(blankClock(options)),
      );
    }
    expect(top, "no button is needed").not.toMatch(/button|resetn/i);
    expect(top, "it holds no clock").not.toMatch(/PLL|CLOCK_HZ/);
  });

  it.each(buildable)("binds each pin of $board.id once", (each) => {
    const files = renderTop({ board: each.board, baud: each.link.baud, highestHz: 100e6 });
    const [, constraints = ""] = [...files.values()];
    const ports = [...(files.get("top.v") ?? "").matchAll(/^ {2}(?:in|out)put (\w+)/gm)];
    for (const [, name = ""] of ports) expect(constraints).toMatch(new RegExp(`\\b${name}\\b`));
    const pins = [
      ...constraints.matchAll(
        /(?:SITE "|IO_LOC "\w+" |-site \{|set_io \w+ |PACKAGE_PIN |assignment PIN_)(\w+)/g,
      ),
    ];
    expect(pins).toHaveLength(ports.length);
    expect(new Set(pins.map(([, pin]) => pin)).size).toBe(pins.length);
  });

  it.each(board.standardClocksHz)("takes a PLL for %d Hz only where it must", (clockHz) => {
    expect(renderClock(options, clockHz).includes("SB_PLL40_PAD")).toBe(clockHz !== 12e6);
  });

  it.each([
    { why: "a clock the PLL misses", clockHz: 47e6 + 1, baud: 1e6 },
    { why: "a baud rate too far from any divider", clockHz: 12e6, baud: 2.2e6 },
    { why: "a baud rate above a quarter of the clock", clockHz: 12e6, baud: 6e6 },
  ])("refuses $why", ({ clockHz, baud }) => {
    expect(() => renderClock({ ...options, baud }, clockHz)).toThrow(
      expect.objectContaining({ reason: "OPTION_INVALID" }),
    );
  });

  it("takes a differential clock at both of its pins", () => {
    const options = { board: getBoardModel("kc705"), baud: 1e6, highestHz: 200e6 };
    const files = renderTop(options);
    expect(files.get("top.v")).toContain("source (.clock_p(clock_p), .clock_n(clock_n), .clk(clk)");
    expect(renderClock(options, 100e6)).toMatch(
      /IBUFDS pad \(\s+\.I\(clock_p\),\s+\.IB\(clock_n\),\s+\.O\(crystal\)/,
    );
    expect(files.get("top.xdc")).toContain(
      "set_property -dict { PACKAGE_PIN AD12 IOSTANDARD LVDS } [get_ports clock_p]\n" +
        "create_clock -name clock -period 5.000 [get_ports clock_p]\n" +
        "set_property -dict { PACKAGE_PIN AD11 IOSTANDARD LVDS } [get_ports clock_n]",
    );
    expect(files.get("top.xdc")).toContain("PACKAGE_PIN M19 IOSTANDARD LVCMOS25 } [get_ports rx]");
    expect(files.get("top.xdc")).toContain(
      "PACKAGE_PIN AB8 IOSTANDARD LVCMOS15 } [get_ports led0]",
    );
  });

  it.each(["zedboard", "alveo-u50", "cpu"])("refuses %s, which has no serial line", (id) => {
    expect(() => renderTop({ ...options, board: getBoardModel(id) })).toThrow(
      expect.objectContaining({ reason: "FLOW_UNSUPPORTED" }),
    );
  });
});

describe("the flow", () => {
  it("cuts the ladder at what is believed, and keeps the slowest rung", () => {
    expect(clockLadder(board, 60e6)).toEqual([48e6, 42e6, 36e6, 24e6, 12e6]);
    expect(clockLadder(board, 40e6)).toEqual([36e6, 24e6, 12e6]);
    expect(clockLadder(board, 5e6)).toEqual([12e6]);
  });

  it.each([
    ["icebreaker", "nextpnr-ice40", "--up5k --package sg48", "synth_ice40 -dsp -top top"],
    ["ulx3s-85f", "nextpnr-ecp5", "--85k --package CABGA381 --speed 6", "synth_ecp5 -top top"],
    [
      "tang-nano-9k",
      "nextpnr-himbaechel-gowin",
      "--device GW1NR-LV9QN88PC6/I5 --vopt family=GW1N-9C --vopt cst=top.cst",
      "synth_gowin -top top",
    ],
    ["crosslink-nx-evn", "nextpnr-nexus", "--device LIFCL-40-9BG400C", "synth_nexus -noccu2"],
  ])("names device, package and clock of %s to the tools", (id, command, device, synthesis) => {
    const { part } = getBoardModel(id);
    const family = getFamily(part);
    const [place, pack] = family.implementation(part, { clockHz: 36e6, seed: 3 });
    expect(place?.command).toBe(command);
    expect(place?.args.join(" ")).toContain(device);
    const mhz = 36 * family.clockMargin;
    expect(place?.args.join(" ")).toContain(`--freq ${mhz} --seed 3`);
    expect(pack?.produces).toEqual([family.bitstream]);
    expect(family.synthesis(part, "top")).toContain(synthesis);
    expect([...family.tools]).toEqual(expect.arrayContaining([command, pack?.command]));
  });
});
