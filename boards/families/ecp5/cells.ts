import { portVerilog, ramVerilog } from "../block-ram";
import { carryEndModel } from "./carry-ends";

/** Every bit of a bus whose pins are ports of their own, highest first. */
const pins = (name: string, width: number) =>
  Array.from({ length: width }, (_, index) => `${name}${width - 1 - index}`).join(", ");

/** Logic, carry and registers. Sources: Lattice FPGA-TN-02032 and FPGA-TN-02203; Yosys' cell library for what its names mean. */
const logic = `\
module LUT4 (input A, B, C, D, output Z);
  parameter [15:0] INIT = 0;
  assign Z = INIT[{D, C, B, A}];
endmodule

module PFUMX (input ALUT, BLUT, C0, output Z);
  assign Z = C0 ? ALUT : BLUT;
endmodule

module L6MUX21 (input D0, D1, SD, output Z);
  assign Z = SD ? D1 : D0;
endmodule

module INV (input A, output Z);
  assign Z = !A;
endmodule

// Two bits of a carry chain: a table says whether the carry goes on, and its first quarter what it is where it does not.
module CCU2C (input CIN, A0, B0, C0, D0, A1, B1, C1, D1, output S0, S1, COUT);
  parameter [15:0] INIT0 = 0;
  parameter [15:0] INIT1 = 0;
  parameter INJECT1_0 = "YES";
  parameter INJECT1_1 = "YES";
  localparam cut0 = INJECT1_0 == "YES";
  localparam cut1 = INJECT1_1 == "YES";
  wire passes0 = INIT0[{D0, C0, B0, A0}];
  wire passes1 = INIT1[{D1, C1, B1, A1}];
  wire makes0 = !cut0 && INIT0[{2'b00, B0, A0}];
  wire makes1 = !cut1 && INIT1[{2'b00, B1, A1}];
  wire middle = passes0 ? CIN : makes0;
  assign S0 = passes0 ^ (!cut0 && CIN);
  assign S1 = passes1 ^ (!cut1 && middle);
  assign COUT = passes1 ? middle : makes1;
endmodule

module TRELLIS_FF (input CLK, LSR, CE, DI, M, output reg Q);
  parameter GSR = "ENABLED";
  parameter CEMUX = "1";
  parameter CLKMUX = "CLK";
  parameter LSRMUX = "LSR";
  parameter SRMODE = "LSR_OVER_CE";
  parameter REGSET = "RESET";
  parameter LSRMODE = "LSR";
  localparam set = REGSET == "SET";
  wire enable = CEMUX == "1" ? 1'b1 : CEMUX == "0" ? 1'b0 : CEMUX == "INV" ? !CE : CE;
  wire reset = LSRMUX == "INV" ? !LSR : LSR;
  initial Q = set;
  always @(posedge CLK)
    if (reset) Q <= set;
    else if (enable) Q <= DI;
  generate
    if (CLKMUX != "CLK" || SRMODE != "LSR_OVER_CE" || LSRMODE != "LSR")
      (* keep *) TRELLIS_FF_mode_without_model refused ();
  endgenerate
endmodule

module TRELLIS_DPR16X4 (input [3:0] DI, WAD, RAD, input WRE, WCK, output [3:0] DO);
  parameter WCKMUX = "WCK";
  parameter WREMUX = "WRE";
  parameter [63:0] INITVAL = 0;
  reg [3:0] mem [0:15];
  integer i;
  initial for (i = 0; i < 16; i = i + 1) mem[i] = INITVAL[4 * i +: 4];
  always @(posedge WCK) if (WRE) mem[WAD] <= DI;
  assign DO = mem[RAD];
  generate
    if (WCKMUX != "WCK" || WREMUX != "WRE") (* keep *) TRELLIS_DPR16X4_mode_without_model refused ();
  endgenerate
endmodule
`;

/** 18 kbit with two ports, or one of 36 bits that writes and one that reads. Source: Lattice FPGA-TN-02204. */
const blockRam = `\
module DP16KD (
  input ${pins("DIA", 18)},
  input ${pins("ADA", 14)},
  input CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output ${pins("DOA", 18)},
  input ${pins("DIB", 18)},
  input ${pins("ADB", 14)},
  input CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output ${pins("DOB", 18)}
);
  parameter DATA_WIDTH_A = 18;
  parameter DATA_WIDTH_B = 18;
  parameter REGMODE_A = "NOREG";
  parameter REGMODE_B = "NOREG";
  parameter RESETMODE = "SYNC";
  parameter ASYNC_RESET_RELEASE = "SYNC";
  parameter CSDECODE_A = "0b000";
  parameter CSDECODE_B = "0b000";
  parameter CLKAMUX = "CLKA";
  parameter CLKBMUX = "CLKB";
  parameter WRITEMODE_A = "NORMAL";
  parameter WRITEMODE_B = "NORMAL";
  parameter GSR = "ENABLED";
${ramVerilog({
  unit: 9,
  row: "INITVAL_",
  declare: (name) => `parameter [319:0] ${name} = 0;`,
  // Two units of 9 bits lie in 20.
  word: (name) => `{${name}[40 * i + 20 +: 18], ${name}[40 * i +: 18]}`,
})}
  localparam wide_a = DATA_WIDTH_A == 36;
  localparam wide_b = DATA_WIDTH_B == 36;
  localparam on_write_a = WRITEMODE_A == "READBEFOREWRITE" ? 1 : WRITEMODE_A == "WRITETHROUGH" ? 2 : 0;
  localparam on_write_b = WRITEMODE_B == "READBEFOREWRITE" ? 1 : WRITEMODE_B == "WRITETHROUGH" ? 2 : 0;
  wire [13:0] address_a = {${pins("ADA", 14)}};
  wire [13:0] address_b = {${pins("ADB", 14)}};
  wire [17:0] data_a = {${pins("DIA", 18)}};
  wire [17:0] data_b = {${pins("DIB", 18)}};
  wire enable_a = CEA && !CSA2 && !CSA1 && !CSA0;
  wire enable_b = CEB && !CSB2 && !CSB1 && !CSB0;
  reg [35:0] held_a = 0;
  reg [35:0] held_b = 0;
  assign {${pins("DOA", 18)}} = wide_b ? held_b[17:0] : held_a[17:0];
  assign {${pins("DOB", 18)}} = wide_b ? held_b[35:18] : held_b[17:0];
${portVerilog({
  clock: "CLKA",
  enable: "enable_a",
  write: "WEA",
  address: "address_a",
  width: "DATA_WIDTH_A",
  data: "{wide_a ? data_b : 18'b0, data_a}",
  held: "held_a",
  onWrite: "on_write_a",
  reset: "RSTA",
})}
${portVerilog({
  clock: "CLKB",
  enable: "enable_b",
  write: "WEB && !wide_b",
  address: "address_b",
  width: "DATA_WIDTH_B",
  data: "{18'b0, data_b}",
  held: "held_b",
  onWrite: "on_write_b",
  reset: "RSTB",
})}
  generate
    if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000"
        || CLKAMUX != "CLKA" || CLKBMUX != "CLKB") (* keep *) DP16KD_mode_without_model refused ();
  endgenerate
endmodule
`;

const unclocked = ["A", "B", "C"].map((input) => `REG_INPUT${input}_CLK`);
const stages = [...unclocked, "REG_PIPELINE_CLK", "REG_OUTPUT_CLK"];

/** A product without registers. Source: Lattice FPGA-TN-02205. */
const multiplier = `\
module MULT18X18D (
  input ${pins("A", 18)},
  input ${pins("B", 18)},
  input ${pins("C", 18)},
  input SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  output ${pins("P", 36)}
);
${stages.map((name) => `  parameter ${name} = "NONE";\n`).join("")}\
  wire signed [18:0] a = {SIGNEDA && A17, ${pins("A", 18)}};
  wire signed [18:0] b = {SIGNEDB && B17, ${pins("B", 18)}};
  wire signed [37:0] product = a * b;
  assign {${pins("P", 36)}} = product[35:0];
  generate
    if (${stages.map((name) => `${name} != "NONE"`).join(" || ")})
      (* keep *) MULT18X18D_mode_without_model refused ();
  endgenerate
endmodule
`;

/** The simulated clock is the one that the design runs at: it passes, and is locked. */
const clock = `\
module EHXPLLL (
  input CLKI, CLKFB, PHASESEL1, PHASESEL0, PHASEDIR, PHASESTEP, PHASELOADREG, STDBY, PLLWAKESYNC, RST, ENCLKOP,
  output CLKOP, LOCK
);
  parameter PLLRST_ENA = "DISABLED";
  parameter INTFB_WAKE = "DISABLED";
  parameter STDBY_ENABLE = "DISABLED";
  parameter DPHASE_SOURCE = "DISABLED";
  parameter OUTDIVIDER_MUXA = "DIVA";
  parameter CLKI_DIV = 1;
  parameter CLKFB_DIV = 1;
  parameter CLKOP_ENABLE = "ENABLED";
  parameter CLKOP_DIV = 8;
  parameter CLKOP_CPHASE = 0;
  parameter CLKOP_FPHASE = 0;
  parameter FEEDBK_PATH = "CLKOP";
  assign CLKOP = CLKI;
  assign LOCK = 1'b1;
endmodule
`;

/** The ECP5 cells that `synth_ecp5` makes of our designs, as Verilog to be simulated. */
export const cellModels = [logic, carryEndModel, blockRam, multiplier, clock].join("\n");
