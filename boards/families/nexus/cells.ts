import { portVerilog, ramVerilog } from "../block-ram";
import { bufferCell, constantCell, inverterCell } from "../cell-text";

/**
 * Contents are given as text, `0x` and up to `digits` hexadecimal digits. Verilog that makes a number of it: of each
 * character the low four bits count, and nine more for a letter; an x counts nothing.
 */
const numberOf = (text: string, digits: number) => {
  const each = (byte: string) => `{${digits}{8'h${byte}}}`;
  const nibbles = Array.from(
    { length: digits },
    (_, index) => `${text}_values[${8 * (digits - 1 - index)} +: 4]`,
  );
  return `\
  localparam [${8 * digits - 1}:0] ${text}_text = ${text};
  localparam [${8 * digits - 1}:0] ${text}_letters = (${text}_text >> 6) & ${each("01")};
  localparam [${8 * digits - 1}:0] ${text}_x = (${text}_text >> 4) & ${text}_letters;
  localparam [${8 * digits - 1}:0] ${text}_values = (${text}_text & ${each("0f")} & ~(${text}_x * 15)) + (${text}_letters & ~${text}_x) * 9;
  localparam [${4 * digits - 1}:0] ${text}_number = {${nibbles.join(", ")}};
`;
};

/** Source of the logic cells: Lattice FPGA-TN-02099 and FPGA-TN-02142. */
const logic = `\
module LUT4 (input A, B, C, D, output Z);
  parameter INIT = "0x0000";
${numberOf("INIT", 4)}\
  assign Z = INIT_number[{D, C, B, A}];
endmodule

module WIDEFN9 (input A0, B0, C0, D0, A1, B1, C1, D1, SEL, output Z);
  parameter INIT0 = "0x0000";
  parameter INIT1 = "0x0000";
${numberOf("INIT0", 4)}\
${numberOf("INIT1", 4)}\
  assign Z = SEL ? INIT1_number[{D1, C1, B1, A1}] : INIT0_number[{D0, C0, B0, A0}];
endmodule
`;

const flipFlops = `\
module FD1P3IX (input D, SP, CD, CK, output reg Q);
  parameter GSR = "DISABLED";
  initial Q = 0;
  always @(posedge CK) if (CD) Q <= 0; else if (SP) Q <= D;
endmodule

module FD1P3JX (input D, SP, PD, CK, output reg Q);
  parameter GSR = "DISABLED";
  initial Q = 1;
  always @(posedge CK) if (PD) Q <= 1; else if (SP) Q <= D;
endmodule

module DPR16X4 (input [3:0] DI, WAD, RAD, input WRE, WCK, output [3:0] DO);
  parameter INITVAL = "0x0000000000000000";
${numberOf("INITVAL", 16)}\
  reg [3:0] mem [0:15];
  integer i;
  initial for (i = 0; i < 16; i = i + 1) mem[i] = INITVAL_number[4 * i +: 4];
  always @(posedge WCK) if (WRE) mem[WAD] <= DI;
  assign DO = mem[RAD];
endmodule
`;

const widthOf = (parameter: string) =>
  `(${parameter} == "X1" ? 1 : ${parameter} == "X2" ? 2 : ${parameter} == "X4" ? 4 : ${parameter} == "X9" ? 9 : ${parameter} == "X18" ? 18 : 36)`;

/** 18 kbit with a port that writes and one that reads, on one clock. Source: Lattice FPGA-TN-02094. */
const blockRam = `\
module PDPSC16K (
  input [35:0] DI, input [13:0] ADW, ADR, input CLK, CER, CEW, input [2:0] CSW, CSR, input RST,
  output [35:0] DO, output ONEBITERR, TWOBITERR
);
  parameter DATA_WIDTH_W = "X36";
  parameter DATA_WIDTH_R = "X36";
  parameter OUTREG = "BYPASSED";
  parameter GSR = "ENABLED";
  parameter RESETMODE = "SYNC";
  parameter ASYNC_RST_RELEASE = "SYNC";
  parameter CSDECODE_W = "000";
  parameter CSDECODE_R = "000";
  parameter ECC = "DISABLED";
${ramVerilog({
  unit: 9,
  row: "INITVAL_",
  declare: (name) => `parameter ${name} = "0x${"0".repeat(80)}";\n${numberOf(name, 80)}`,
  // A unit of 9 bits lies in 10.
  word: (name) =>
    `{${[3, 2, 1, 0].map((unit) => `${name}_number[40 * i + ${10 * unit} +: 9]`).join(", ")}}`,
})}
  localparam width_w = ${widthOf("DATA_WIDTH_W")};
  localparam width_r = ${widthOf("DATA_WIDTH_R")};
  reg [35:0] held = 0;
  assign DO = held;
${portVerilog({
  clock: "CLK",
  enable: "CEW && &CSW",
  write: "1'b1",
  address: "ADW",
  width: "width_w",
  data: "DI",
})}
${portVerilog({
  clock: "CLK",
  enable: "CER && &CSR",
  write: "1'b0",
  address: "ADR",
  width: "width_r",
  data: "DI",
  held: "held",
  reset: "RST",
})}
  generate
    if (OUTREG != "BYPASSED" || ECC != "DISABLED" || CSDECODE_W != "111" || CSDECODE_R != "111")
      (* keep *) PDPSC16K_mode_without_model refused ();
  endgenerate
endmodule
`;

/** A product without registers. Source: Lattice FPGA-TN-02096. */
const multiplier = `\
module MULT9X9 (input [8:0] A, B, input SIGNEDA, SIGNEDB, output [17:0] Z);
  parameter REGINPUTA = "REGISTER";
  parameter REGINPUTB = "REGISTER";
  parameter REGOUTPUT = "REGISTER";
  wire signed [9:0] a = {SIGNEDA && A[8], A};
  wire signed [9:0] b = {SIGNEDB && B[8], B};
  wire signed [19:0] product = a * b;
  assign Z = product[17:0];
  generate
    if (REGINPUTA != "BYPASS" || REGINPUTB != "BYPASS" || REGOUTPUT != "BYPASS")
      (* keep *) MULT9X9_mode_without_model refused ();
  endgenerate
endmodule
`;

/** The Nexus cells that `synth_nexus -noccu2` makes of our designs, as Verilog to be simulated. */
export const cellModels = [
  logic,
  inverterCell("INV", "A", "Z"),
  constantCell("VHI", "Z", 1),
  constantCell("VLO", "Z", 0),
  ...["IB", "OB"].map((name) => bufferCell(name, "I", "O")),
  flipFlops,
  blockRam,
  multiplier,
].join("\n");
