import { bufferCell, inverterCell, productLines, tableCell } from "../cell-text";

const lut = (inputs: number) =>
  tableCell(`MISTRAL_ALUT${inputs}`, [..."ABCDEF"].slice(0, inputs), {
    output: "Q",
    contents: "LUT",
  });

const logic = `\
// Two tables share three inputs; the carry chain adds the first and what the second leaves out.
module MISTRAL_ALUT_ARITH (input A, B, C, D0, D1, CI, output SO, CO);
  parameter [15:0] LUT0 = 0;
  parameter [15:0] LUT1 = 0;
  wire first = LUT0[{D0, C, B, A}];
  wire second = !LUT1[{D1, C, B, A}];
  assign SO = first ^ second ^ CI;
  assign CO = (first & second) | (first & CI) | (second & CI);
endmodule

module MISTRAL_FF (input DATAIN, CLK, ACLR, ENA, SCLR, SLOAD, SDATA, output reg Q);
  initial Q = 1'b0;
  always @(posedge CLK) if (!ACLR) Q <= 1'b0; else if (ENA) Q <= SCLR ? 1'b0 : SLOAD ? SDATA : DATAIN;
endmodule

module MISTRAL_MLAB (input [4:0] A1ADDR, B1ADDR, input A1DATA, A1EN, CLK1, output B1DATA);
  reg mem [0:31];
  always @(posedge CLK1) if (A1EN) mem[A1ADDR] <= A1DATA;
  assign B1DATA = mem[B1ADDR];
endmodule
`;

/** 10 kbit with a port that writes and one that reads. The enable of the former is active low but in the widest shape. */
const blockRam = `\
module MISTRAL_M10K (CLK1, A1ADDR, A1DATA, A1EN, B1ADDR, B1DATA, B1EN);
  parameter CFG_ABITS = 10;
  parameter CFG_DBITS = 10;
  parameter [10239:0] INIT = 0;
  input CLK1, A1EN, B1EN;
  input [CFG_ABITS-1:0] A1ADDR, B1ADDR;
  input [CFG_DBITS-1:0] A1DATA;
  output reg [CFG_DBITS-1:0] B1DATA;
  reg [CFG_DBITS-1:0] mem [0:2**CFG_ABITS-1];
  integer i;
  initial for (i = 0; i < 2**CFG_ABITS; i = i + 1) mem[i] = INIT[CFG_DBITS * i +: CFG_DBITS];
  wire write = CFG_DBITS == 40 ? A1EN : !A1EN;
  always @(posedge CLK1) begin
    if (write) mem[A1ADDR] <= A1DATA;
    if (B1EN) B1DATA <= mem[B1ADDR];
  end
endmodule
`;

const multiplier = (bits: number) => `\
module MISTRAL_MUL${bits}X${bits} (input [${bits - 1}:0] A, B, output [${2 * bits - 1}:0] Y);
  parameter A_SIGNED = 1;
  parameter B_SIGNED = 1;
${productLines(bits, { a: "A_SIGNED", b: "B_SIGNED" })}\
  assign Y = product[${2 * bits - 1}:0];
endmodule
`;

const pins = `\
module MISTRAL_IB (input PAD, output O);
  assign O = PAD;
endmodule

module MISTRAL_OB (output PAD, input I);
  assign PAD = I;
endmodule

module MISTRAL_CLKBUF (input A, output Q);
  assign Q = A;
endmodule
`;

/**
 * The cells that `synth_intel_alm` makes of our designs for Cyclone V, as Verilog to be simulated. They are those of
 * Project Mistral: Quartus maps the same design to its own. Source: Yosys' cell library for what their names mean.
 */
export const cellModels = [
  ...[2, 3, 4, 5, 6].map(lut),
  inverterCell("MISTRAL_NOT", "A", "Q"),
  bufferCell("MISTRAL_BUF", "A", "Q"),
  logic,
  blockRam,
  ...[9, 18, 27].map(multiplier),
  pins,
].join("\n");
