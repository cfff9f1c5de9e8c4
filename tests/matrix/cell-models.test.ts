import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { listBoardModels, type Part } from "@/boards";
import { cellModelsOf } from "@/boards/cell-models";
import { families } from "@/boards/families";
import { toolsFolder } from "@/tests/workers/folders";
import { type CellTrial, compareCells } from "../hardware/support/compare-cells";

// Our models against those that come with Yosys, where it has one: equal inputs, equal answers.

const seed = 1;

/** Seeded digits, for tables and contents of memories. Source: Park and Miller 1988. */
function digitsFrom(start: number): (count: number, base: number) => string {
  let state = start;
  return (count, base) =>
    Array.from({ length: count }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return (state % base).toString(base);
    }).join("");
}
const digits = digitsFrom(seed);
const bits = (width: number) => `${width}'b${digits(width, 2)}`;
const hexText = (count: number) => `"0x${digits(count, 16)}"`;
const tables = (name: string, width: number) =>
  Array.from({ length: 4 }, () => ({ [name]: bits(width) }));

const modes = [0, 1, 2, 3];
const memoryModes = modes.flatMap((read) =>
  modes.map((write) => ({
    READ_MODE: String(read),
    WRITE_MODE: String(write),
    ...Object.fromEntries(
      [..."0123456789ABCDEF"].map((row) => [`INIT_${row}`, `256'h${digits(64, 16)}`]),
    ),
  })),
);

/** Registers before and behind, then what the output shows and what the adders add. */
const whole = [
  { signed: 1, hold: 0, stage: 0, second: 0, output: 3, upper: 0, lower: 2, carry: 0 },
  { signed: 1, hold: 1, stage: 1, second: 0, output: 0, upper: 1, lower: 2, carry: 3 },
  { signed: 0, hold: 1, stage: 1, second: 1, output: 1, upper: 0, lower: 2, carry: 2 },
  { signed: 1, hold: 0, stage: 0, second: 1, output: 1, upper: 0, lower: 2, carry: 3 },
  { signed: 0, hold: 1, stage: 0, second: 0, output: 0, upper: 1, lower: 0, carry: 1 },
  { signed: 1, hold: 1, stage: 1, second: 0, output: 3, upper: 1, lower: 3, carry: 2 },
].map(({ signed, hold, stage, second, output, upper, lower, carry }) => ({
  A_SIGNED: `1'b${signed}`,
  B_SIGNED: `1'b${signed}`,
  ...Object.fromEntries(["A", "B", "C", "D"].map((name) => [`${name}_REG`, `1'b${hold}`])),
  ...Object.fromEntries(
    ["TOP_8x8_MULT_REG", "BOT_8x8_MULT_REG", "PIPELINE_16x16_MULT_REG1"].map((name) => [
      name,
      `1'b${stage}`,
    ]),
  ),
  PIPELINE_16x16_MULT_REG2: `1'b${second}`,
  ...sides({ output, upper, lower, carry }),
}));
const pairs = [
  { signed: 1, top: 0, bottom: 0, output: 2, upper: 0, lower: 0, carry: 0 },
  { signed: 1, top: 1, bottom: 1, output: 2, upper: 0, lower: 1, carry: 0 },
  { signed: 0, top: 1, bottom: 0, output: 1, upper: 0, lower: 1, carry: 1 },
  { signed: 1, top: 1, bottom: 1, output: 0, upper: 1, lower: 1, carry: 2 },
].map(({ signed, top, bottom, output, upper, lower, carry }) => ({
  MODE_8x8: "1'b1",
  A_SIGNED: `1'b${signed}`,
  B_SIGNED: `1'b${signed}`,
  A_REG: "1'b1",
  TOP_8x8_MULT_REG: `1'b${top}`,
  BOT_8x8_MULT_REG: `1'b${bottom}`,
  ...sides({ output, upper, lower, carry }),
}));
/** As two lanes of an array share a block. */
const shared = {
  MODE_8x8: "1'b1",
  ...Object.fromEntries(
    ["A_SIGNED", "B_SIGNED", "A_REG", "B_REG", "TOP_8x8_MULT_REG", "BOT_8x8_MULT_REG"].map(
      (name) => [name, "1'b1"],
    ),
  ),
  ...sides({ output: 2, upper: 0, lower: 0, carry: 0 }),
};

function sides(choice: Readonly<Record<"output" | "upper" | "lower" | "carry", number>>) {
  return Object.fromEntries(
    ["TOP", "BOT"].flatMap((side) => [
      [`${side}OUTPUT_SELECT`, `2'd${choice.output}`],
      [`${side}ADDSUB_UPPERINPUT`, `1'd${choice.upper}`],
      [`${side}ADDSUB_LOWERINPUT`, `2'd${choice.lower}`],
      [`${side}ADDSUB_CARRYSELECT`, `2'd${choice.carry}`],
    ]),
  );
}

const quiet = (...names: string[]) => Object.fromEntries(names.map((name) => [name, "0"]));

const unusedRegisters = Object.fromEntries(
  ["ADREG", "DREG", "INMODEREG", "OPMODEREG", "ALUMODEREG", "CARRYINREG", "CARRYINSELREG"].map(
    (name) => [name, "0"],
  ),
);

/** Multipliers that hand factors on, with registers at every place; they add nothing, another's sum, or a word. */
const slices: CellTrial = {
  cell: "DSP48E1",
  clocks: ["CLK"],
  modes: [
    { a: "DIRECT", b: "DIRECT", registers: 0, handed: 0 },
    { a: "DIRECT", b: "CASCADE", registers: 0, handed: 0 },
    { a: "CASCADE", b: "DIRECT", registers: 1, handed: 1 },
    { a: "CASCADE", b: "CASCADE", registers: 2, handed: 1 },
    { a: "DIRECT", b: "CASCADE", registers: 2, handed: 2 },
  ].map(({ a, b, registers, handed }) => ({
    ...unusedRegisters,
    A_INPUT: `"${a}"`,
    B_INPUT: `"${b}"`,
    ...Object.fromEntries(["AREG", "BREG"].map((name) => [name, String(registers)])),
    ...Object.fromEntries(["ACASCREG", "BCASCREG"].map((name) => [name, String(handed)])),
    ...Object.fromEntries(
      ["CREG", "MREG", "PREG"].map((name) => [name, String(Math.min(registers, 1))]),
    ),
  })),
  drive: {
    ...quiet("INMODE", "CARRYINSEL"),
    ALUMODE: "$ & 4'h3",
    OPMODE: "7'h05 | ($ & 1 ? 7'h30 : $ & 1 ? 7'h50 : $ & 7'h10)",
  },
};

const trials: Readonly<Record<string, readonly CellTrial[]>> = {
  vivado: [
    ...[1, 2, 3, 4, 5, 6].map((inputs) => ({
      cell: `LUT${inputs}`,
      modes: tables("INIT", 2 ** inputs),
    })),
    ...["MUXF7", "MUXF8", "CARRY4", "INV", "IBUF", "OBUF", "BUFG"].map((cell) => ({ cell })),
    ...["FDRE", "FDSE"].map((cell) => ({ cell, clocks: ["C"] })),
    { cell: "SRL16E", clocks: ["CLK"], modes: tables("INIT", 16) },
    { cell: "SRLC32E", clocks: ["CLK"], modes: tables("INIT", 32) },
    ...["RAM32M", "RAM64M", "RAM32M16", "RAM64M8"].map((cell) => ({
      cell,
      clocks: ["WCLK"],
      modes: [
        Object.fromEntries(
          [...(cell.endsWith("M") ? "ABCD" : "ABCDEFGH")].map((each) => [`INIT_${each}`, bits(64)]),
        ),
      ],
    })),
    ...[32, 64].map((depth) => ({
      cell: `RAM${depth}X1D`,
      clocks: ["WCLK"],
      modes: tables("INIT", depth),
    })),
    slices,
  ],
  quartus: [
    ...[2, 3, 4, 5, 6].map((inputs) => ({
      cell: `MISTRAL_ALUT${inputs}`,
      modes: tables("LUT", 2 ** inputs),
    })),
    {
      cell: "MISTRAL_ALUT_ARITH",
      modes: Array.from({ length: 4 }, () => ({ LUT0: bits(16), LUT1: bits(16) })),
    },
    // Its reset does not wait for the clock, and designs never pull it.
    { cell: "MISTRAL_FF", clocks: ["CLK"], drive: { ACLR: "1'b1" } },
    ...["MISTRAL_NOT", "MISTRAL_IB", "MISTRAL_OB", "MISTRAL_CLKBUF"].map((cell) => ({ cell })),
    ...[9, 18, 27].map((width) => ({
      cell: `MISTRAL_MUL${width}X${width}`,
      modes: [0, 1].map((signed) => ({ A_SIGNED: String(signed), B_SIGNED: String(signed) })),
    })),
  ],
  icestorm: [
    { cell: "SB_LUT4", modes: tables("LUT_INIT", 16) },
    { cell: "SB_CARRY" },
    ...["", "E", "SR", "SS", "ESR", "ESS"].map((kind) => ({
      cell: `SB_DFF${kind}`,
      clocks: ["C"],
    })),
    {
      cell: "SB_RAM40_4K",
      modes: memoryModes,
      clocks: ["RCLK", "WCLK"],
      // Few words, so that what was written is read again.
      drive: { RADDR: "$ & 11'h70f", WADDR: "$ & 11'h70f" },
    },
    {
      cell: "SB_MAC16",
      modes: [...whole, ...pairs, shared],
      clocks: ["CLK"],
      drive: quiet("IRSTTOP", "IRSTBOT", "ORSTTOP", "ORSTBOT"),
    },
  ],
  trellis: [
    { cell: "LUT4", modes: tables("INIT", 16) },
    { cell: "PFUMX" },
    { cell: "L6MUX21" },
    { cell: "INV" },
    {
      cell: "CCU2C",
      modes: ["NO", "YES"].flatMap((first) =>
        ["NO", "YES"].map((second) => ({
          INIT0: bits(16),
          INIT1: bits(16),
          INJECT1_0: `"${first}"`,
          INJECT1_1: `"${second}"`,
        })),
      ),
    },
    {
      cell: "TRELLIS_FF",
      clocks: ["CLK"],
      modes: ["1", "CE", "INV", "0"].flatMap((enable) =>
        ["RESET", "SET"].flatMap((value) =>
          ["LSR", "INV"].map((reset) => ({
            GSR: '"DISABLED"',
            CEMUX: `"${enable}"`,
            REGSET: `"${value}"`,
            LSRMUX: `"${reset}"`,
          })),
        ),
      ),
    },
    { cell: "TRELLIS_DPR16X4", modes: tables("INITVAL", 64), clocks: ["WCK"] },
  ],
  apicula: [
    ...[1, 2, 3, 4].map((inputs) => ({
      cell: `LUT${inputs}`,
      modes: tables("INIT", 2 ** inputs),
    })),
    ...["MUX2", "MUX2_LUT5", "MUX2_LUT6", "MUX2_LUT7", "MUX2_LUT8"].map((cell) => ({ cell })),
    ...["", "E", "S", "SE", "R", "RE"].map((kind) => ({ cell: `DFF${kind}`, clocks: ["CLK"] })),
    { cell: "ALU", modes: [0, 1, 2].map((mode) => ({ ALU_MODE: String(mode) })) },
    ...[1, 2, 4].map((width) => ({
      cell: `RAM16SDP${width}`,
      clocks: ["CLK"],
      modes: [
        Object.fromEntries(Array.from({ length: width }, (_, bit) => [`INIT_${bit}`, bits(16)])),
      ],
    })),
    ...["IBUF", "OBUF", "VCC", "GND"].map((cell) => ({ cell })),
  ],
  oxide: [
    { cell: "LUT4", modes: Array.from({ length: 4 }, () => ({ INIT: hexText(4) })) },
    {
      cell: "WIDEFN9",
      modes: Array.from({ length: 4 }, () => ({ INIT0: hexText(4), INIT1: hexText(4) })),
    },
    ...["INV", "VHI", "VLO", "IB", "OB"].map((cell) => ({ cell })),
    ...["FD1P3IX", "FD1P3JX"].map((cell) => ({ cell, clocks: ["CK"] })),
    { cell: "DPR16X4", clocks: ["WCK"], modes: [{ INITVAL: hexText(16) }] },
    {
      cell: "MULT9X9",
      modes: [{ REGINPUTA: '"BYPASS"', REGINPUTB: '"BYPASS"', REGOUTPUT: '"BYPASS"' }],
    },
  ],
};

/** Yosys' own models, as its wheel has them. */
const library = {
  icestorm: {
    files: ["ice40/cells_sim.v"],
    options: ["-DICE40_HX", "-DNO_ICE40_DEFAULT_ASSIGNMENTS"],
  },
  trellis: { files: ["lattice/common_sim.vh", "lattice/ccu2c_sim.vh"], options: ["-DNO_INCLUDES"] },
  apicula: { files: ["gowin/cells_sim.v"], options: [] },
  vivado: { files: ["xilinx/cells_sim.v"], options: [] },
  quartus: {
    files: ["alm", "dff", "dsp", "misc"].map((name) => `intel_alm/common/${name}_sim.v`),
    options: [],
  },
  oxide: { files: ["nexus/cells_sim.v"], options: [`-I${join(shareFolder(), "nexus")}`] },
};

function partOf(kind: string): Part {
  const board = listBoardModels().find(({ part }) => part.flow.kind === kind);
  if (board === undefined) throw new Error(`no board of the catalogue has a part of ${kind}`);
  return board.part;
}

function shareFolder(): string {
  const lib = join(toolsFolder, "fpga/lib");
  const [python] = readdirSync(lib).filter((name) => name.startsWith("python3"));
  return join(lib, python ?? "", "site-packages/yowasp_yosys/share");
}

describe.each(families.map((family) => ({ family, title: family.title })))(
  "cell models of $title",
  { timeout: 300_000 },
  ({ family: { kind } }) => {
    const own = trials[kind] ?? [];
    let found: Awaited<ReturnType<typeof compareCells>>;

    beforeAll(async () => {
      const { files, options } = library[kind as keyof typeof library];
      const share = shareFolder();
      found = await compareCells(cellModelsOf(partOf(kind)), own, {
        files: files.map((file) => join(share, file)),
        options,
      });
    }, 300_000);

    it.each(own.map(({ cell }) => cell))("%s answers like Yosys' model", (cell) => {
      const { compared = 0, wrong } = found.get(cell) ?? {};
      expect(wrong).toBe(0);
      expect(compared).toBeGreaterThan(1000);
    });
  },
);
