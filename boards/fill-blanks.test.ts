import { describe, expect, it } from "vitest";
import type { Contents, LevelCells } from "./contents";
import { fillBlanks } from "./fill-blanks";

const cell = (type: string, connections: Record<string, unknown[]>, parameters = {}) => ({
  type,
  parameters,
  connections,
});

/** A flip-flop behind a table, at a clock and with a level that are not said. */
const mapped = () => ({
  creator: "Yosys",
  modules: {
    clock_source: { attributes: { blackbox: "1" } },
    LUT: { attributes: { blackbox: "1" } },
    top: {
      ports: {
        clock: { direction: "input", bits: [2] },
        q: { direction: "output", bits: [7] },
        on: { direction: "output", bits: [8] },
      },
      cells: {
        source: cell("clock_source", { clock: [2], clk: [3], locked: [4] }),
        divider: cell("baud_divider", { last_clock: [5, 8] }),
        "tables[3].part": cell(
          "identity_table",
          { address: [4, 5], data: [6] },
          { INDEX: "00000000000000000000000000000011" },
        ),
        kept: cell("FF", { C: [3], D: [6], E: [8], Q: [7] }),
      },
      netnames: {
        clock: { bits: [2] },
        clk: { bits: [3] },
        levels: { bits: [4, 5, 8] },
        q: { bits: [6, 7] },
      },
    },
  },
});

const filling: Record<string, Contents> = {
  clock_source: {
    cells: [
      {
        name: "pll",
        type: "PLL",
        parameters: {
          DIVR: { bits: "0010" },
          MODE: "SIMPLE",
          DIV: "11",
          BY: 5,
          NS: { decimal: "8.3" },
        },
        attributes: { MHZ: "100" },
        inputs: { IN: "clock", FEEDBACK: "loop", RESET: ["0", "1"] },
        outputs: { OUT: "clk", AROUND: "loop" },
      },
    ],
    wires: { locked: "1" },
  },
  baud_divider: { cells: [], wires: { last_clock: ["1", "0"] } },
  "identity_table 3": {
    cells: [
      {
        name: "table",
        type: "LUT",
        parameters: { INIT: { bits: "1001" } },
        inputs: { A: "address[0]", B: "address[1]" },
        outputs: { Z: "data" },
      },
    ],
    wires: {},
  },
};

const filled = (blanks = filling, levels: LevelCells | null = null) =>
  fillBlanks(JSON.stringify(mapped()), "top", { blanks, levels });

describe("filling blanks", () => {
  const { blanks, netlist, counts } = filled();
  const { modules } = JSON.parse(netlist);
  const { cells, ports, netnames } = modules.top;

  it("puts cells in their place, as synthesis would write them", () => {
    expect(blanks).toBe(3);
    expect(counts).toEqual({ PLL: 1, LUT: 1, FF: 1 });
    expect(cells["source.pll"]).toEqual({
      hide_name: 0,
      type: "PLL",
      // Text that could be taken for bits ends in a space, as Yosys has it.
      parameters: {
        DIVR: "0010",
        MODE: "SIMPLE",
        DIV: "11 ",
        BY: "00000000000000000000000000000101",
        NS: "8.300000",
      },
      attributes: { MHZ: "100 " },
      port_directions: {
        IN: "input",
        FEEDBACK: "input",
        RESET: "input",
        OUT: "output",
        AROUND: "output",
      },
      connections: { IN: [2], FEEDBACK: [9], RESET: ["0", "1"], OUT: [3], AROUND: [9] },
    });
    expect(cells["tables[3].part.table"]).toMatchObject({
      parameters: { INIT: "1001" },
      connections: { A: ["1"], B: ["1"], Z: [6] },
    });
  });

  it("gives levels to everything that the wires among them led to", () => {
    expect(cells.kept.connections).toEqual({ C: [3], D: [6], E: ["0"], Q: [7] });
    expect(ports.on.bits).toEqual(["0"]);
    expect(netnames.levels.bits).toEqual(["1", "1", "0"]);
  });

  it("changes nothing else", () => {
    expect(Object.keys(modules)).toEqual(["LUT", "top"]);
    expect(ports.q).toEqual(mapped().modules.top.ports.q);
    expect(netnames.q).toEqual(mapped().modules.top.netnames.q);
    expect(filled().netlist).toBe(netlist);
  });

  it("takes levels from cells where tools want that, and adds those that are not there", () => {
    const { netlist, counts } = filled(filling, { low: ["FF", "Q"], high: ["HIGH", "Z"] });
    const { cells } = JSON.parse(netlist).modules.top;
    expect(counts).toMatchObject({ FF: 1, HIGH: 1 });
    expect(cells.HIGH).toMatchObject({ connections: { Z: [9] }, port_directions: { Z: "output" } });
    expect(cells["source.pll"].connections.RESET).toEqual([7, 9]);
    expect(cells.kept.connections.E).toEqual([7]);
  });

  it("lets a wire be another", () => {
    const plain = { cells: [], wires: { clk: "clock", locked: "1" } };
    const { modules } = JSON.parse(filled({ ...filling, clock_source: plain }).netlist);
    expect(modules.top.cells.kept.connections.C).toEqual([2]);
    expect(modules.top.netnames.clk.bits).toEqual([2]);
  });

  it.each([
    {
      why: "a blank that nothing is given for",
      text: JSON.stringify(mapped()),
      left: "identity_table 3",
    },
    { why: "another top", text: '{"modules": {}}', left: "" },
    { why: "half a file", text: '{"modules"', left: "" },
  ])("refuses $why", ({ text, left }) => {
    const { [left]: _, ...rest } = filling;
    const given = { ...rest, "identity_table 2": { cells: [], wires: {} } };
    expect(() => fillBlanks(text, "top", { blanks: given, levels: null })).toThrow(
      expect.objectContaining({ reason: "OUTPUT_INVALID" }),
    );
  });
});
