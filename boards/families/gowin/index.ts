import type { Part } from "../../schema";
import { type Family, flowFiles } from "../family";
import { placeAndPack } from "../place-and-pack";
import { clockSource } from "./clock";

const files = { pins: "top.cst", placed: "design.pnr.json", bitstream: "bitstream.fs" } as const;

function flowOf({ flow, name }: Part) {
  if (flow.kind !== "apicula") throw new RangeError(`${name} is no Gowin part.`);
  return flow;
}

/** Gowin LittleBee and Arora, by Project Apicula and nextpnr. */
export const gowin: Family = {
  kind: "apicula",
  title: "Gowin",
  // Multipliers are inferred since Yosys 0.63 only, which npm does not have.
  tools: ["yosys-wheel", "nextpnr-himbaechel-gowin", "gowin_pack"],
  bitstream: files.bitstream,
  resources: [
    { id: "lut", name: "Logic cells", keys: ["LUT4"] },
    { id: "ff", name: "Flip-flops", keys: ["DFF"] },
    { id: "alu", name: "Adder cells", keys: ["ALU"] },
    { id: "bram", name: "Block RAM", keys: ["BSRAM"] },
    { id: "dsp", name: "Multipliers", keys: ["MULT9X9", "MULT18X18"] },
    { id: "pll", name: "PLLs", keys: ["rPLL", "PLLA"] },
    { id: "io", name: "Pins", keys: ["IOB"] },
  ],
  believedClockHz: () => 108e6,
  clockMargin: 1,
  clockSource,
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
    ["synth_gowin", ...flowOf(part).synthArgs, "-top", top, "-json", flowFiles.design].join(" "),
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
        io: ["--write", files.placed],
      },
      pack: { command: "gowin_pack", args: [...packArgs, "-o", files.bitstream, files.placed] },
      ...choice,
    });
  },
};
