import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { ice40, readBlockRams } from "@/boards/families/ice40";
import { pllSettings } from "@/boards/families/ice40/pll";
import { runTool, textOf } from "./support/tools";

const { part } = getBoardModel("icebreaker");

interface Rom {
  readonly words: readonly number[];
  readonly width: number;
}

const hexOf = (words: readonly number[]) => words.map((word) => word.toString(16)).join("\n");

/** A ROM whose every word matters to its output `q`. */
function romVerilog({ words, width }: Rom, i: number): string {
  const address = Math.log2(words.length);
  return `\
module rom${i} (input clk, input d, output reg q);
  reg [${width - 1}:0] rom [0:${words.length - 1}];
  initial $readmemh("rom${i}.hex", rom);
  reg [${address - 1}:0] at = 0;
  reg [${width - 1}:0] word;
  always @(posedge clk) begin
    at <= {at, d};
    word <= rom[at];
    q <= ^(word & {${width}{d}}) ^ word[${width - 1}];
  end
endmodule
`;
}

/** The text of a bitstream for a design with these ROMs, through every tool and back. */
async function bitstreamOf(roms: readonly Rom[]): Promise<string> {
  const verilog = `${roms.map(romVerilog).join("\n")}
module top (input clk, input d, output q);
  wire [${roms.length - 1}:0] each;
${roms.map((_, i) => `  rom${i} r${i} (.clk(clk), .d(d), .q(each[${i}]));`).join("\n")}
  assign q = ^each;
endmodule
`;
  const script = `read_verilog top.v; ${ice40.synthesis(part, "top")}`;
  const synthesised = await runTool("yosys", ["-q", "-p", script], {
    "top.v": verilog,
    ...Object.fromEntries(roms.map(({ words }, i) => [`rom${i}.hex`, hexOf(words)])),
  });
  const [place, pack] = ice40.implementation(part, { clockHz: 12e6, seed: 1 });
  const placed = await runTool(
    "nextpnr-ice40",
    [...(place?.args ?? []), "--pcf-allow-unconstrained", "-q"],
    { "design.json": textOf(synthesised.files, "mapped.json"), "top.pcf": "" },
  );
  const packed = await runTool("icepack", pack?.args ?? [], placed.files);
  const bytes = packed.files[ice40.bitstream] ?? "";
  const unpacked = await runTool("iceunpack", ["top.bin", "back.asc"], { "top.bin": bytes });
  return textOf(unpacked.files, "back.asc");
}

/** Words without a pattern, the same in every run. */
function noise(count: number, width: number): number[] {
  let state = 20_261;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 9) & (2 ** width - 1);
  });
}

describe("block RAM read back from a bitstream", () => {
  it("holds the words that went in, whatever their width", { timeout: 600_000 }, async () => {
    const roms = [16, 8, 4, 2].map((width) => ({ width, words: noise(4096 / width, width) }));
    const rams = readBlockRams(await bitstreamOf(roms));
    expect(rams).toHaveLength(roms.length);
    for (const { width, words } of roms) {
      expect(rams.find(({ wordBits }) => wordBits === width)?.words).toEqual(words);
    }
  });

  it("is refused when the text is cut off", () => {
    expect(() => readBlockRams(".ram_data 6 7\n0000\n")).toThrow(
      expect.objectContaining({ reason: "OUTPUT_INVALID" }),
    );
  });
});

describe("pllSettings", () => {
  it.each([48, 36, 24, 60, 77, 100, 133])(
    "agrees with icepll on %d MHz from 12",
    async (outMhz) => {
      const { output } = await runTool("icepll", ["-i", "12", "-o", String(outMhz)]);
      const read = (name: string) => Number(new RegExp(`${name}: *(\\d+)`).exec(output)?.[1]);
      expect(pllSettings(12e6, outMhz * 1e6)).toMatchObject({
        divr: read("DIVR"),
        divf: read("DIVF"),
        divq: read("DIVQ"),
        filterRange: read("FILTER_RANGE"),
      });
    },
  );
});
