import type { Part } from "../../schema";
import { type Family, flowFiles, type Grid } from "../family";
import { placeAndPack } from "../place-and-pack";
import { freeCarryEnds, modelCarryEnds } from "./carry-ends";
import { clockSource } from "./clock";
import { constantSums } from "./constant-sums";
import { costs } from "./costs";

const files = { pins: "top.lpf", routed: "design.config", bitstream: "bitstream.bit" } as const;

/** By the cells that the device is named by (Project Trellis, `devices.json`: max_col and max_row, counted from 0). */
const grids: readonly (readonly [device: RegExp, grid: Grid])[] = [
  [/(12|25)k$/, { columns: 73, rows: 51 }],
  [/45k$/, { columns: 91, rows: 72 }],
  [/85k$/, { columns: 127, rows: 96 }],
];

function flowOf({ flow, name }: Part) {
  if (flow.kind !== "trellis") throw new RangeError(`${name} is no ECP5.`);
  return flow;
}

function gridOf(device: string): Grid {
  const found = grids.find(([names]) => names.test(device));
  if (!found) throw new RangeError(`The size of an ECP5 ${device} is not known.`);
  return found[1];
}

/** Lattice ECP5, by Project Trellis and nextpnr. */
export const ecp5: Family = {
  kind: "trellis",
  costs,
  title: "ECP5",
  tools: ["yosys", "nextpnr-ecp5", "ecppack"],
  bitstream: files.bitstream,
  resources: [
    { id: "lut", name: "Logic cells", keys: ["TRELLIS_COMB"] },
    { id: "ff", name: "Flip-flops", keys: ["TRELLIS_FF"] },
    { id: "bram", name: "Block RAM", keys: ["DP16KD"] },
    { id: "dsp", name: "Multipliers", keys: ["MULT18X18D"] },
    { id: "pll", name: "PLLs", keys: ["EHXPLLL"] },
    { id: "io", name: "Pins", keys: ["TRELLIS_IO"] },
  ],
  grid: (part) => gridOf(flowOf(part).device),
  believedClockHz: () => 100e6,
  clockMargin: 1,
  clockFrom: "pin",
  clockSource,
  tableOfFour: { type: "LUT4", contents: "INIT", inputs: ["A", "B", "C", "D"], output: "Z" },
  constraints: (board, pins) => ({
    file: files.pins,
    text: pins
      .map(({ port, pin, hz }) =>
        [
          `LOCATE COMP "${port}" SITE "${pin}";\n`,
          `IOBUF PORT "${port}" IO_TYPE=${board.ioStandard ?? "LVCMOS33"};\n`,
          ...(hz === undefined ? [] : [`FREQUENCY PORT "${port}" ${hz / 1e6} MHZ;\n`]),
        ].join(""),
      )
      .join(""),
  }),
  synthesis: (_, top) =>
    [constantSums, `synth_ecp5 -top ${top}`, freeCarryEnds, `write_json ${flowFiles.mapped}`].join(
      "\n",
    ),
  modelledCells: modelCarryEnds,
  simulatedClock: () => [],
  implementation: (part, choice) => {
    const { device, package: packageName, speed } = flowOf(part);
    return placeAndPack({
      files,
      place: {
        command: "nextpnr-ecp5",
        target: [`--${device}`, "--package", packageName, "--speed", String(speed)],
        io: ["--lpf", files.pins, "--textcfg", files.routed],
      },
      pack: { command: "ecppack", args: ["--compress", files.routed, files.bitstream] },
      ...choice,
    });
  },
};
