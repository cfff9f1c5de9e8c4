import { fail } from "@/lib/common/errors";
import { bitsOf, type Contents, verilogOf } from "./contents";
import { type Family, findFamily } from "./families";
import type { BoardModel } from "./schema";

/** What a top with a serial shell depends on. */
export interface TopOptions {
  readonly board: BoardModel;
  readonly baud: number;
  /** The highest clock that the top may be given: its counters are as wide as that needs. */
  readonly highestHz: number;
}

/** Twice the 10 µs for which block RAM of an iCE40 may read as zero after configuration (icestorm issue 76). */
const resetS = 20e-6;
/** After as long without a byte, half a frame is forgotten. */
const idleS = 20e-3;

const bitsFor = (clocks: number) => Math.ceil(Math.log2(clocks));

/** How wide the counters of a top are, whatever its clock: tops are alike at every clock. */
function countersOf({ baud, highestHz }: Omit<TopOptions, "board">) {
  return {
    reset: bitsFor(highestHz * resetS),
    beat: bitsFor(highestHz),
    divider: bitsFor(Math.round(highestHz / baud)),
    idle: bitsFor(highestHz * idleS),
  };
}

/** The LEDs that a design of a board with a serial link drives: the first blinks while it runs, the second shows the line. */
export function lightsOf({ leds, links }: BoardModel): BoardModel["leds"] {
  const link = links.find(({ kind }) => kind === "uart");
  if (link?.kind !== "uart") return [];
  // On some boards a lamp hangs on the line itself.
  return leds.filter(({ pin }) => pin !== link.rx && pin !== link.tx).slice(0, 2);
}

/**
 * The top of a board with a serial link, as files by name: `top.v` (module `top`: clock, reset, pads around the module
 * `shell`) and the family's pin file. They are the same at every clock: what depends on it are the modules `clock_source`
 * and `baud_divider` of `renderClock`. The first LED blinks while the design runs, the second shows the line.
 *
 * @throws {AppError} `FLOW_UNSUPPORTED` for a board without a serial link.
 */
export function renderTop(options: TopOptions): Map<string, string> {
  const { board } = options;
  const { family, link } = serialBoard(board);
  const leds = lightsOf(board);
  const { ioStandard } = link;
  const constraints = family.constraints(board, [
    ...clockPins(family, board),
    { port: "rx", pin: link.rx, ioStandard },
    { port: "tx", pin: link.tx, ioStandard },
    ...leds.map((led, index) => ({ port: `led${index}`, pin: led.pin })),
  ]);
  return new Map([
    ["top.v", topVerilog({ ...options, clocks: clockPorts(family, board), leds })],
    [constraints.file, constraints.text],
  ]);
}

/** What a top depends on its clock in, by module. */
export type ClockModules = Readonly<Record<"clock_source" | "baud_divider", Contents>>;

/**
 * What stands in the modules `clock_source` and `baud_divider` of a top that runs at a clock.
 *
 * @throws {AppError} `OPTION_INVALID` for a clock or a baud rate that cannot be made.
 */
export function clockModules(options: TopOptions, clockHz: number): ClockModules {
  const { board, baud } = options;
  const { family } = serialBoard(board);
  const divider = dividerOf(clockHz, baud);
  const source = family.clockSource(board, clockHz);
  if (!source) {
    const from = board.clocks[0] ? ` from ${board.clocks[0].hz / 1e6} MHz` : "";
    throw fail("OPTION_INVALID", `${clockHz} Hz cannot be made${from} on ${board.name}.`);
  }
  const width = countersOf(options).divider;
  return {
    clock_source: source,
    baud_divider: { cells: [], wires: { last_clock: bitsOf(divider - 1, width) } },
  };
}

/** `clock.v`: those modules as Verilog. @throws {AppError} as `clockModules`. */
export function renderClock(options: TopOptions, clockHz: number): string {
  const modules = clockModules(options, clockHz);
  const { clock_source, baud_divider } = clockHeaders(options);
  return `\
// ${options.board.name}: design at ${clockHz / 1e6} MHz, ${options.baud} baud.
${clock_source.text}
${verilogOf(modules.clock_source, clock_source.ports)}endmodule

${baud_divider.text}
${verilogOf(modules.baud_divider, baud_divider.ports)}endmodule
`;
}

/** The same modules as blanks. */
export function blankClock(options: TopOptions): string {
  return Object.values(clockHeaders(options))
    .map(({ text }) => `(* blackbox *)\n${text}\nendmodule\n`)
    .join("");
}

/** Cycles after which any top of a board that was just configured has let go of its reset. */
export function powerOnCycles({ standardClocksHz }: BoardModel): number {
  return 2 ** bitsFor(Math.max(...standardClocksHz) * resetS) + 16;
}

/** Of the module `shell` of a top. */
export function shellParameters(options: TopOptions): Readonly<Record<string, number>> {
  const { divider, idle } = countersOf(options);
  return { DIVIDER_BITS: divider, IDLE_BITS: idle };
}

function clockHeaders(options: TopOptions) {
  const clocks = clockPorts(serialBoard(options.board).family, options.board);
  const ports = [...clocks.map((port) => `input ${port}`), "output clk", "output locked"];
  return {
    clock_source: {
      text: `module clock_source (${ports.join(", ")});`,
      ports: [...clocks, "clk", "locked"],
    },
    baud_divider: {
      text: `module baud_divider (output [${countersOf(options).divider - 1}:0] last_clock);`,
      ports: ["last_clock"],
    },
  };
}

function serialBoard(board: BoardModel) {
  const family = findFamily(board.part);
  const link = board.links.find((each) => each.kind === "uart");
  if (family === null || link === undefined) {
    throw fail("FLOW_UNSUPPORTED", `There is no top for ${board.name}.`);
  }
  return { family, link };
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
function clockPins({ clockFrom }: Family, { clocks: [clock] }: BoardModel) {
  if (!clock || clockFrom === "inside") return [];
  const { hz, ioStandard } = clock;
  const [pin = "", inverted] = clock.pin.split(",");
  if (inverted === undefined) return [{ port: "clock", pin, hz, ioStandard }];
  return [
    { port: "clock_p", pin, hz, ioStandard },
    { port: "clock_n", pin: inverted, ioStandard },
  ];
}

const clockPorts = (family: Family, board: BoardModel) =>
  clockPins(family, board).map(({ port }) => port);

/** A divider rounds; beyond 1 % at our end, the other end's own error may break the line. */
function dividerOf(clockHz: number, baud: number): number {
  const divider = Math.round(clockHz / baud);
  const error = Math.abs(clockHz / divider / baud - 1);
  if (divider >= 4 && error < 0.01) return divider;
  throw fail("OPTION_INVALID", `${baud} baud cannot be made from ${clockHz / 1e6} MHz.`, {
    hint: "Choose a baud rate that divides the clock, such as 1000000 or 115200.",
  });
}

function topVerilog(
  options: TopOptions & { readonly clocks: readonly string[]; readonly leds: BoardModel["leds"] },
): string {
  const { board, clocks, leds } = options;
  const bits = countersOf(options);
  const ports = [
    ...clocks.map((port) => `input ${port}`),
    "input rx",
    "output tx",
    ...leds.map((_, index) => `output led${index}`),
  ];
  const shows = ["alive", "!rx || !tx"];
  const lights = leds.map((led, index) => {
    const lit = shows[index] ?? "1'b0";
    return `  assign led${index} = ${led.active === "low" ? `!(${lit})` : lit};`;
  });
  const parameters = Object.entries(shellParameters(options)).map(
    ([name, value]) => `.${name}(${value})`,
  );
  const source = [...clocks, "clk", "locked"].map((port) => `.${port}(${port})`);
  return `\
// ${board.name}. The clock is made in clock_source; counters are as wide as the highest one needs.
module top (
${ports.map((port) => `  ${port}`).join(",\n")}
);
  wire clk, locked;
  clock_source source (${source.join(", ")});

  // Registers start at 0 after configuration: count with the clock locked, at least 20 us, then let go.
  reg [1:0] locked_here = 0;
  reg [${bits.reset - 1}:0] waited = 0;
  reg rst = 1'b1;
  always @(posedge clk) begin
    locked_here <= {locked_here[0], locked};
    if (!locked_here[1]) waited <= 0;
    else if (!(&waited)) waited <= waited + 1'b1;
    rst <= !(&waited);
  end

  reg [${bits.beat - 1}:0] beat = 0;
  always @(posedge clk) beat <= beat + 1'b1;
  wire alive = beat[${bits.beat - 1}];

  shell #(${parameters.join(", ")}) shell (
    .clk(clk), .rst(rst), .rx(rx), .tx(tx)
  );
${lights.join("\n")}
endmodule
`;
}
