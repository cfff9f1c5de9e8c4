import type { Contents } from "../../contents";
import type { Part } from "../../schema";
import { type Family, flowFiles } from "../family";
import { placeAndPack } from "../place-and-pack";
import { costs } from "./costs";

const files = { pins: "top.pdc", routed: "design.fasm", bitstream: "bitstream.bit" } as const;
/** Of the internal oscillator, before its divider, and how much faster it may be (LIFCL data sheet FPGA-DS-02049). */
const oscillatorHz = 450e6;
const clockMargin = 1.07;
const maxDivider = 256;

function flowOf({ flow, name }: Part) {
  if (flow.kind !== "oxide") throw new RangeError(`${name} is no Nexus part.`);
  return flow;
}

/** Lattice Nexus, by Project Oxide and nextpnr. Clocked from inside: the router does not reach the boards' clock pins. */
export const nexus: Family = {
  kind: "oxide",
  costs,
  title: "Nexus",
  tools: ["yosys", "nextpnr-nexus", "prjoxide"],
  bitstream: files.bitstream,
  resources: [
    { id: "lut", name: "Logic cells", keys: ["OXIDE_COMB"] },
    { id: "ff", name: "Flip-flops", keys: ["OXIDE_FF"] },
    { id: "bram", name: "Block RAM", keys: ["OXIDE_EBR"] },
    { id: "dsp", name: "Multipliers", keys: ["MULT9_CORE"] },
    { id: "io", name: "Pins", keys: ["SEIO33_CORE", "SEIO18_CORE"] },
  ],
  // Of LIFCL-40, the one device with boards here (Project Oxide's database).
  grid: () => ({ columns: 88, rows: 57 }),
  believedClockHz: () => 112.5e6,
  clockMargin,
  clockFrom: "inside",
  levelCells: { low: ["VLO", "Z"], high: ["VHI", "Z"] },
  clockSource,
  tableOfFour: {
    type: "LUT4",
    contents: "INIT",
    inputs: ["A", "B", "C", "D"],
    output: "Z",
    asText: true,
  },
  constraints: (board, pins) => ({
    file: files.pins,
    text: pins
      .map(
        ({ port, pin }) =>
          `ldc_set_location -site {${pin}} [get_ports ${port}]\n` +
          `ldc_set_port -iobuf {IO_TYPE=${board.ioStandard ?? "LVCMOS33"}} [get_ports ${port}]\n`,
      )
      .join(""),
  }),
  // Carry chains of this mapping are refused by the placer.
  synthesis: (_, top) => `synth_nexus -noccu2 -top ${top} -json ${flowFiles.mapped}`,
  // The oscillator is inside: its wire becomes a port.
  simulatedClock: () => [
    "cd top",
    "delete t:OSC_CORE",
    "add -input clock 1",
    "connect -set clk clock",
    "cd ..",
  ],
  implementation: (part, { clockHz, seed }) =>
    placeAndPack({
      files,
      place: {
        command: "nextpnr-nexus",
        target: ["--device", flowOf(part).device],
        io: ["--pdc", files.pins, "--fasm", files.routed],
      },
      pack: { command: "prjoxide", args: ["pack", files.routed, files.bitstream] },
      clockHz: clockHz * clockMargin,
      seed,
    }),
};

function clockSource(_: unknown, clockHz: number): Contents | null {
  const divider = oscillatorHz / clockHz;
  if (!Number.isInteger(divider) || divider < 2 || divider > maxDivider) return null;
  const oscillator = {
    name: "oscillator",
    type: "OSC_CORE",
    parameters: { HF_CLK_DIV: String(divider - 1) },
    inputs: { HFOUTEN: "1" },
    outputs: { HFCLKOUT: "clk" },
  };
  return { cells: [oscillator], wires: { locked: "1" } };
}
