import type { Part } from "../../schema";
import { type Family, flowFiles, type Grid } from "../family";
import { placeAndPack } from "../place-and-pack";
import { clockSource } from "./clock";
import { costs } from "./costs";

const files = { pins: "top.cst", routed: flowFiles.placed, bitstream: "bitstream.fs" } as const;

/** By what the packer calls the device (Project Apicula's chip databases). */
const grids: Readonly<Record<string, Grid>> = {
  "GW1N-9C": { columns: 47, rows: 29 },
  "GW2A-18": { columns: 56, rows: 55 },
  "GW2A-18C": { columns: 56, rows: 55 },
  "GW5A-25A": { columns: 92, rows: 37 },
};

function flowOf({ flow, name }: Part) {
  if (flow.kind !== "apicula") throw new RangeError(`${name} is no Gowin part.`);
  return flow;
}

function gridOf(packArgs: readonly string[]): Grid {
  const grid = grids[packArgs[packArgs.indexOf("-d") + 1] ?? ""];
  if (!grid) throw new RangeError(`The size of a Gowin ${packArgs.join(" ")} is not known.`);
  return grid;
}

/** Gowin LittleBee and Arora, by Project Apicula and nextpnr. */
export const gowin: Family = {
  kind: "apicula",
  costs,
  title: "Gowin",
  // Multipliers are inferred since Yosys 0.63 only, which npm does not have.
  tools: ["yosys-wheel", "nextpnr-himbaechel-gowin", "gowin_pack"],
  bitstream: files.bitstream,
  resources: [
    // A bit of an adder takes the place of a table (Gowin UG288, configurable logic section).
    { id: "lut", name: "Logic cells", keys: ["LUT4", "ALU"], cellTypes: /^(LUT[1-4]|ALU)$/ },
    { id: "ff", name: "Flip-flops", keys: ["DFF"], cellTypes: /^DFF/ },
    { id: "bram", name: "Block RAM", keys: ["BSRAM"], cellTypes: /^(S|SD|D)P(B|X9|X9B)?$|^pROM/ },
    { id: "dsp", name: "Multipliers", keys: ["MULT9X9", "MULT18X18"] },
    { id: "pll", name: "PLLs", keys: ["rPLL", "PLLA"] },
    { id: "io", name: "Pins", keys: ["IOB"], cellTypes: /^(I|O|IO|TB)BUF$/ },
  ],
  grid: (part) => gridOf(flowOf(part).packArgs),
  believedClockHz: () => 108e6,
  clockMargin: 1,
  clockFrom: "pin",
  levelCells: { low: ["GND", "G"], high: ["VCC", "V"] },
  clockSource,
  tableOfFour: { type: "LUT4", contents: "INIT", inputs: ["I0", "I1", "I2", "I3"], output: "F" },
  constraints: (board, pins) => ({
    file: files.pins,
    text: pins
      .map(
        ({ port, pin }) =>
          `IO_LOC "${port}" ${pin};\nIO_PORT "${port}" IO_TYPE=${board.ioStandard ?? "LVCMOS33"};\n`,
      )
      .join(""),
  }),
  synthesis: (part, top) =>
    ["synth_gowin", ...flowOf(part).synthArgs, "-top", top, "-json", flowFiles.mapped].join(" "),
  // Half the crystal's clock comes from a flip-flop, which is no model of a clock.
  simulatedClock: (part) =>
    flowOf(part).pll === null ? ["cd top", "connect -set clk clock", "cd .."] : [],
  implementation: (part, choice) => {
    const { device, placeOptions, packArgs } = flowOf(part);
    const options = [...placeOptions, `cst=${files.pins}`];
    return placeAndPack({
      files,
      place: {
        command: "nextpnr-himbaechel-gowin",
        target: ["--device", device, ...options.flatMap((option) => ["--vopt", option])],
        io: [],
      },
      pack: { command: "gowin_pack", args: [...packArgs, "-o", files.bitstream, files.routed] },
      ...choice,
    });
  },
};
