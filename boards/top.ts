import { fail } from "@/lib/common/errors";
import { type ClockSource, type Family, findFamily } from "./families";
import type { BoardModel } from "./schema";

interface TopOptions {
  readonly board: BoardModel;
  /** The clock the design runs at; one that the board can make exactly. */
  readonly clockHz: number;
  readonly baud: number;
}

/** Twice the 10 µs for which block RAM of an iCE40 may read as zero after configuration (icestorm issue 76). */
const resetS = 20e-6;

/**
 * The top of a board with a serial link, as files by name: `top.v` (module `top`: clock, reset, pads around the module
 * `shell`) and the family's pin file. The first LED blinks while the design runs, the second shows the line.
 *
 * @throws {AppError} `FLOW_UNSUPPORTED` for a board without a serial link, `OPTION_INVALID` for a clock or
 * a baud rate that cannot be made.
 */
export function renderTop({ board, clockHz, baud }: TopOptions): Map<string, string> {
  const family = findFamily(board.part);
  const link = board.links.find((each) => each.kind === "uart");
  if (family === null || link === undefined) {
    throw fail("FLOW_UNSUPPORTED", `There is no top for ${board.name}.`);
  }
  checkBaud(clockHz, baud);
  const source = clockSourceOf(family, board, clockHz);
  // On some boards a lamp hangs on the line itself.
  const free = board.leds.filter(({ pin }) => pin !== link.rx && pin !== link.tx);
  const leds = free.slice(0, 2);
  const { ioStandard } = link;
  const constraints = family.constraints(board, [
    ...(source.fromPin ? clockPins(board) : []),
    { port: "rx", pin: link.rx, ioStandard },
    { port: "tx", pin: link.tx, ioStandard },
    ...leds.map((led, index) => ({ port: `led${index}`, pin: led.pin })),
  ]);
  return new Map([
    ["top.v", topVerilog({ board, clockHz, baud, source, leds })],
    [constraints.file, constraints.text],
  ]);
}

/**
 * The clocks to try, highest first: the board's standard clocks not above `highestHz`, and at least its slowest.
 */
export function clockLadder(board: BoardModel, highestHz: number): readonly number[] {
  const clocks = [...board.standardClocksHz].sort((a, b) => b - a);
  const rungs = clocks.filter((hz) => hz <= highestHz);
  return rungs.length > 0 ? rungs : clocks.slice(-1);
}

/** The clock's port, or the two of a differential pair, whose rate belongs to the first. */
function clockPins({ clocks: [clock] }: BoardModel) {
  if (!clock) return [];
  const { hz, ioStandard } = clock;
  const [pin = "", inverted] = clock.pin.split(",");
  if (inverted === undefined) return [{ port: "clock", pin, hz, ioStandard }];
  return [
    { port: "clock_p", pin, hz, ioStandard },
    { port: "clock_n", pin: inverted, ioStandard },
  ];
}

function clockSourceOf(family: Family, board: BoardModel, clockHz: number): ClockSource {
  const source = family.clockSource(board, clockHz);
  if (source) return source;
  const from = board.clocks[0] ? ` from ${board.clocks[0].hz / 1e6} MHz` : "";
  throw fail("OPTION_INVALID", `${clockHz} Hz cannot be made${from} on ${board.name}.`);
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

function topVerilog(
  options: TopOptions & { readonly source: ClockSource; readonly leds: BoardModel["leds"] },
): string {
  const { board, clockHz, baud, source, leds } = options;
  const resetBits = Math.ceil(Math.log2(clockHz * resetS));
  const beatBits = Math.ceil(Math.log2(clockHz));
  const ports = [
    ...(source.fromPin ? clockPins(board).map(({ port }) => `input ${port}`) : []),
    "input rx",
    "output tx",
    ...leds.map((_, index) => `output led${index}`),
  ];
  const shows = ["alive", "!rx || !tx"];
  const lights = leds.map((led, index) => {
    const lit = shows[index] ?? "1'b0";
    return `  assign led${index} = ${led.active === "low" ? `!(${lit})` : lit};`;
  });
  return `\
// ${board.name}: design at ${clockHz / 1e6} MHz.
module top (
${ports.map((port) => `  ${port}`).join(",\n")}
);
${source.verilog}
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
