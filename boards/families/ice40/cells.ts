import { multiplierModel } from "./multiplier";

/** Controls of the flip-flops that our designs use, by what follows `SB_DFF` in their name. Source: Lattice iCE Technology Library. */
const flipFlops: Readonly<Record<string, string>> = {
  "": "Q <= D;",
  E: "if (E) Q <= D;",
  SR: "if (R) Q <= 0; else Q <= D;",
  SS: "if (S) Q <= 1; else Q <= D;",
  ESR: "if (E) begin if (R) Q <= 0; else Q <= D; end",
  ESS: "if (E) begin if (S) Q <= 1; else Q <= D; end",
};

const flipFlop = ([suffix, behaviour]: readonly [string, string]) => {
  const enable = suffix.startsWith("E") ? "E, " : "";
  const reset = suffix.endsWith("SR") ? "R, " : suffix.endsWith("SS") ? "S, " : "";
  return `\
module SB_DFF${suffix} (input C, ${enable}${reset}D, output reg Q);
  initial Q = 0;
  always @(posedge C) ${behaviour}
endmodule
`;
};

const logic = `\
module SB_LUT4 (input I0, I1, I2, I3, output O);
  parameter [15:0] LUT_INIT = 0;
  assign O = LUT_INIT[{I3, I2, I1, I0}];
endmodule

module SB_CARRY (input I0, I1, CI, output CO);
  assign CO = (I0 && I1) || (CI && (I0 || I1));
endmodule
`;

const rows = Array.from({ length: 16 }, (_, row) => `INIT_${row.toString(16).toUpperCase()}`);

/** 256 words of 16 bits; in modes 1 to 3 the upper address bits choose among 2, 4 or 8 neighbouring bits. Source: Lattice FPGA-TN-02002. */
const blockRam = `\
module SB_RAM40_4K (
  output [15:0] RDATA, input [10:0] RADDR, input RCLK, RCLKE, RE,
  input [10:0] WADDR, input [15:0] MASK, WDATA, input WCLK, WCLKE, WE
);
  parameter READ_MODE = 0;
  parameter WRITE_MODE = 0;
${rows.map((row) => `  parameter [255:0] ${row} = 0;\n`).join("")}\
  reg [15:0] mem [0:255];
  reg [15:0] held = 0;
  integer i;
  initial begin
${rows.map((row, index) => `    for (i = 0; i < 16; i = i + 1) mem[${16 * index} + i] = ${row}[16 * i +: 16];\n`).join("")}\
  end
  // Which of a group of 2, 4 or 8 neighbouring bits a narrow port means.
  function [2:0] place(input integer mode, input [2:0] address);
    place = mode == 1 ? {2'b0, address[0]} : mode == 2 ? {1'b0, address[1:0]} : mode == 3 ? address : 3'b0;
  endfunction
  wire [2:0] write_place = place(WRITE_MODE, WADDR[10:8]);
  wire [15:0] group = WRITE_MODE == 1 ? 16'h5555 : WRITE_MODE == 2 ? 16'h1111 : 16'h0101;
  // A narrow port takes its bits from pin 0 (2, 4, …), 1 (5, 9, 13) or 3 (11).
  wire [15:0] lined_up = WRITE_MODE == 1 ? WDATA : WRITE_MODE == 2 ? WDATA >> 1 : WDATA >> 3;
  wire [15:0] bits = WRITE_MODE == 0 ? ~MASK : group << write_place;
  wire [15:0] data = WRITE_MODE == 0 ? WDATA : (lined_up & group) << write_place;
  wire [15:0] word = mem[WADDR[7:0]];
  always @(posedge WCLK)
    if (WCLKE && WE) mem[WADDR[7:0]] <= (word & ~bits) | (data & bits);

  wire [15:0] stored = mem[RADDR[7:0]];
  wire [15:0] chosen = stored >> place(READ_MODE, RADDR[10:8]);
  wire [15:0] shown = READ_MODE == 0 ? stored
    : READ_MODE == 1 ? chosen & 16'h5555 : READ_MODE == 2 ? (chosen & 16'h1111) << 1 : (chosen & 16'h0101) << 3;
  always @(posedge RCLK) if (RCLKE && RE) held <= shown;
  assign RDATA = held;
endmodule
`;

const pllParameters = [
  "FEEDBACK_PATH DELAY_ADJUSTMENT_MODE_FEEDBACK DELAY_ADJUSTMENT_MODE_RELATIVE PLLOUT_SELECT SHIFTREG_DIV_MODE",
  "FDA_FEEDBACK FDA_RELATIVE DIVR DIVF DIVQ FILTER_RANGE ENABLE_ICEGATE TEST_MODE",
].flatMap((names) => names.split(" "));

/**
 * The simulated clock is the one that the design runs at: it passes, and is locked. Ports and parameters are those that
 * a bitstream read back names, too.
 */
const pll = (name: string, input: string) => `\
module ${name} (
  input ${input}, EXTFEEDBACK, BYPASS, RESETB, LATCHINPUTVALUE, SDI, SCLK, input [7:0] DYNAMICDELAY,
  output PLLOUTCORE, PLLOUTGLOBAL, LOCK, SDO
);
${pllParameters.map((parameter) => `  parameter ${parameter} = 0;\n`).join("")}\
  assign PLLOUTCORE = ${input};
  assign PLLOUTGLOBAL = ${input};
  assign LOCK = 1'b1;
endmodule
`;

/** The iCE40 cells that `synth_ice40` makes of our designs, as Verilog to be simulated. */
export const cellModels = [
  logic,
  ...Object.entries(flipFlops).map(flipFlop),
  blockRam,
  multiplierModel,
  pll("SB_PLL40_PAD", "PACKAGEPIN"),
  pll("SB_PLL40_CORE", "REFERENCECLK"),
].join("\n");
