import { fail } from "@/lib/common/errors";
import type { BoardModel } from "../../schema";
import { type PllSettings, pllSettings } from "./pll";

interface TopOptions {
  readonly board: BoardModel;
  /** The clock the design runs at; one that the board's PLL makes exactly. */
  readonly clockHz: number;
  readonly baud: number;
}

/** Twice the 10 µs for which block RAM of an iCE40 may read as zero after configuration (icestorm issue 76). */
const resetS = 20e-6;

/**
 * The top of an iCE40 board with a serial link, as files by name: `top.v` (module `top`: PLL, reset, pads around the
 * module `shell`) and `top.pcf` (pins). The first LED blinks while the design runs, the second shows the line.
 * @throws {AppError} `FLOW_UNSUPPORTED` for a board without this flow or a serial link, `OPTION_INVALID` for a clock or
 * a baud rate that cannot be made.
 */
export function renderTop({ board, clockHz, baud }: TopOptions): Map<string, string> {
  const link = board.links.find((each) => each.kind === "uart");
  const [clock] = board.clocks;
  if (board.part.flow.kind !== "icestorm" || link === undefined || clock === undefined) {
    throw fail("FLOW_UNSUPPORTED", `There is no iCE40 top for ${board.name}.`);
  }
  checkBaud(clockHz, baud);
  const leds = board.leds.slice(0, 2);
  const pins = [
    ["clock", clock.pin],
    ["rx", link.rx],
    ["tx", link.tx],
    ...leds.map((led, i) => [`led${i}`, led.pin] as const),
  ] as const;
  const pcf = pins.map(([name, pin]) => `set_io ${name} ${pin}\n`).join("");
  return new Map([
    ["top.v", topVerilog({ board, clockHz, baud, sourceHz: clock.hz, leds })],
    ["top.pcf", pcf],
  ]);
}

/** A divider rounds; beyond 1 % at our end, the other end's own error may break the line. */
function checkBaud(clockHz: number, baud: number): void {
  const divider = Math.round(clockHz / baud);
  const error = Math.abs(clockHz / divider / baud - 1);
  if (divider >= 4 && error < 0.01) return;
  throw fail("OPTION_INVALID", `${baud} baud cannot be made from ${clockHz / 1e6} MHz.`, {
    hint: "Choose a baud rate that divides the clock, such as 1000000 or 115200.",
  });
}

function topVerilog(options: TopOptions & { sourceHz: number; leds: BoardModel["leds"] }): string {
  const { board, clockHz, baud, sourceHz, leds } = options;
  const resetBits = Math.ceil(Math.log2(clockHz * resetS));
  const beatBits = Math.ceil(Math.log2(clockHz));
  const ports = ["input clock", "input rx", "output tx", ...leds.map((_, i) => `output led${i}`)];
  const shows = ["alive", "!rx || !tx"];
  const lights = leds.map((led, i) => {
    const lit = shows[i] ?? "1'b0";
    return `  assign led${i} = ${led.active === "low" ? `!(${lit})` : lit};`;
  });
  return `\
// ${board.name}: ${sourceHz / 1e6} MHz in, design at ${clockHz / 1e6} MHz.
module top (
${ports.map((port) => `  ${port}`).join(",\n")}
);
${clockSource(sourceHz, clockHz)}
  // Registers start at 0 after configuration: count ${Math.round((2 ** resetBits / clockHz) * 1e6)} us with the clock locked, then let go.
  reg [1:0] locked_here = 0;
  reg [${resetBits - 1}:0] waited = 0;
  reg rst = 1'b1;
  always @(posedge clk) begin
    locked_here <= {locked_here[0], locked};
    if (!locked_here[1]) waited <= 0;
    else if (!(&waited)) waited <= waited + 1'b1;
    rst <= !(&waited);
  end

  reg [${beatBits - 1}:0] beat = 0;
  always @(posedge clk) beat <= beat + 1'b1;
  wire alive = beat[${beatBits - 1}];

  shell #(.CLOCK_HZ(${clockHz}), .BAUD(${baud})) shell (.clk(clk), .rst(rst), .rx(rx), .tx(tx));
${lights.join("\n")}
endmodule
`;
}

function clockSource(sourceHz: number, clockHz: number): string {
  if (clockHz === sourceHz) return "  wire clk = clock;\n  wire locked = 1'b1;\n";
  const pll = pllSettings(sourceHz, clockHz);
  if (pll === null || pll.outHz !== clockHz) {
    throw fail("OPTION_INVALID", `${clockHz} Hz cannot be made from ${sourceHz} Hz exactly.`);
  }
  return pllVerilog(pll);
}

const bits = (value: number, width: number) =>
  `${width}'b${value.toString(2).padStart(width, "0")}`;

function pllVerilog({ divr, divf, divq, filterRange }: PllSettings): string {
  return `\
  wire clk, locked;
  SB_PLL40_PAD #(
    .FEEDBACK_PATH("SIMPLE"),
    .DIVR(${bits(divr, 4)}),
    .DIVF(${bits(divf, 7)}),
    .DIVQ(${bits(divq, 3)}),
    .FILTER_RANGE(${bits(filterRange, 3)})
  ) pll (
    .PACKAGEPIN(clock),
    .PLLOUTGLOBAL(clk),
    .LOCK(locked),
    .RESETB(1'b1),
    .BYPASS(1'b0)
  );
`;
}
