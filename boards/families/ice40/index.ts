import type { Part } from "../../schema";
import { type Family, flowFiles, type Grid } from "../family";
import { placeAndPack } from "../place-and-pack";
import { clockSource } from "./clock";
import { costs } from "./costs";
import { checker, readBack } from "./read-back";

export { type BlockRam, readBlockRams } from "./bitstream";

const files = { pins: "top.pcf", routed: "design.asc", bitstream: "bitstream.bin" } as const;

/** By nextpnr's name of the device (IceStorm, `icebox`: max_x and max_y, counted from 0). */
const grids: Readonly<Record<string, Grid>> = {
  hx1k: { columns: 14, rows: 18 },
  up5k: { columns: 26, rows: 32 },
  hx8k: { columns: 34, rows: 34 },
  lp8k: { columns: 34, rows: 34 },
};

function flowOf({ flow, name }: Part) {
  if (flow.kind !== "icestorm") throw new RangeError(`${name} is no iCE40.`);
  return flow;
}

function gridOf(device: string): Grid {
  const grid = grids[device];
  if (!grid) throw new RangeError(`The size of an iCE40 ${device} is not known.`);
  return grid;
}

/** Lattice iCE40, by Project IceStorm and nextpnr. */
export const ice40: Family = {
  kind: "icestorm",
  costs,
  isInstalledAtOnce: true,
  title: "iCE40",
  tools: ["yosys", "nextpnr-ice40", "icepack"],
  bitstream: files.bitstream,
  resources: [
    { id: "lut", name: "Logic cells", keys: ["ICESTORM_LC"] },
    { id: "bram", name: "Block RAM", keys: ["ICESTORM_RAM"] },
    { id: "dsp", name: "Multipliers", keys: ["ICESTORM_DSP"] },
    { id: "pll", name: "PLLs", keys: ["ICESTORM_PLL"] },
    { id: "io", name: "Pins", keys: ["SB_IO"] },
  ],
  grid: (part) => gridOf(flowOf(part).device),
  // Placed designs: 51 MHz on UP5K with multiplier blocks, 45 with two products in each, and 38 without them; 90 and up
  // on the HX and LP parts.
  believedClockHz: (part, ownMultipliers = false) => {
    if (flowOf(part).device !== "up5k") return 90e6;
    return part.resources.dsp === 0 ? 38e6 : ownMultipliers ? 45e6 : 51e6;
  },
  clockMargin: 1,
  clockFrom: "pin",
  clockSource,
  tableOfFour: {
    type: "SB_LUT4",
    contents: "LUT_INIT",
    inputs: ["I0", "I1", "I2", "I3"],
    output: "O",
  },
  constraints: (_, pins) => ({
    file: files.pins,
    text: pins.map(({ port, pin }) => `set_io ${port} ${pin}\n`).join(""),
  }),
  // With -dsp, Yosys takes every multiplier block for one of its own and sets it to one product of 16 x 16.
  synthesis: (part, top, ownMultipliers = false) => {
    const args = flowOf(part).synthArgs.filter((arg) => !(ownMultipliers && arg === "-dsp"));
    return ["synth_ice40", ...args, "-top", top, "-json", flowFiles.mapped].join(" ");
  },
  simulatedClock: () => [],
  checker,
  readBack: (board, clockHz) =>
    readBack({ ...files, chipPackage: flowOf(board.part).package }, board, clockHz),
  implementation: (part, choice) =>
    placeAndPack({
      files,
      place: {
        command: "nextpnr-ice40",
        target: [`--${flowOf(part).device}`, "--package", flowOf(part).package],
        io: ["--pcf", files.pins, "--asc", files.routed],
      },
      pack: { command: "icepack", args: [files.routed, files.bitstream] },
      ...choice,
    }),
};
