import type { Part } from "../../schema";
import { type ClockSource, type Family, flowFiles } from "../family";
import { placeAndPack } from "../place-and-pack";

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
  clockSource,
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
  synthesis: (_, top) => `synth_nexus -noccu2 -top ${top} -json ${flowFiles.design}`,
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

function clockSource(_: unknown, clockHz: number): ClockSource | null {
  const divider = oscillatorHz / clockHz;
  if (!Number.isInteger(divider) || divider < 2 || divider > maxDivider) return null;
  return {
    fromPin: false,
    verilog: `\
  wire clk;
  wire locked = 1'b1;
  OSC_CORE #(.HF_CLK_DIV("${divider - 1}")) oscillator (.HFOUTEN(1'b1), .HFCLKOUT(clk));
`,
  };
}
