import { bufferCell, constantCell, inverterCell, productLines, tableCell } from "../cell-text";
import { blockRamModels } from "./block-ram";

const lut = (inputs: number) =>
  tableCell(
    `LUT${inputs}`,
    Array.from({ length: inputs }, (_, index) => `I${index}`),
    { output: "F", contents: "INIT" },
  );

const mux = (name: string) => `\
module ${name} (input I0, I1, S0, output O);
  assign O = S0 ? I1 : I0;
endmodule
`;

/** A flip-flop; its set or reset comes before its enable. */
const flipFlop = (control: "" | "S" | "R", enable: "" | "E") => {
  const value = control === "S" ? 1 : 0;
  const pin = control === "S" ? "SET" : "RESET";
  return `\
module DFF${control}${enable} (input CLK, D${enable && ", CE"}${control && `, ${pin}`}, output reg Q);
  parameter INIT = ${value};
  initial Q = INIT;
  always @(posedge CLK)
    ${control && `if (${pin}) Q <= ${value}; else `}${enable && "if (CE) "}Q <= D;
endmodule
`;
};

/** A memory in logic cells, of one, two or four bits a word. */
const distributedRam = (bits: number) => {
  const range = bits === 1 ? "" : `[${bits - 1}:0] `;
  const contents = Array.from({ length: bits }, (_, bit) => `INIT_${bits - 1 - bit}[i]`);
  return `\
module RAM16SDP${bits} (input ${range}DI, input [3:0] WAD, RAD, input WRE, CLK, output ${range}DO);
${Array.from({ length: bits }, (_, bit) => `  parameter [15:0] INIT_${bit} = 0;\n`).join("")}\
  reg ${range}mem [0:15];
  integer i;
  initial for (i = 0; i < 16; i = i + 1) mem[i] = {${contents.join(", ")}};
  always @(posedge CLK) if (WRE) mem[WAD] <= DI;
  assign DO = mem[RAD];
endmodule
`;
};

const stages = ["AREG", "BREG", "OUT_REG", "PIPE_REG", "ASIGN_REG", "BSIGN_REG", "SOA_REG"];

/** A product without registers. Source: Gowin UG287. */
const multiplier = (bits: number) => `\
module MULT${bits}X${bits} (
  input [${bits - 1}:0] A, B, SIA, SIB, input ASEL, BSEL, ASIGN, BSIGN, CLK, CE, RESET,
  output [${2 * bits - 1}:0] DOUT, output [${bits - 1}:0] SOA, SOB
);
${stages.map((stage) => `  parameter ${stage} = 0;\n`).join("")}\
${productLines(bits, { a: "ASIGN", b: "BSIGN" })}\
  assign DOUT = product[${2 * bits - 1}:0];
  assign SOA = A;
  assign SOB = B;
  generate
    if (${stages.join(" || ")}) (* keep *) MULT${bits}X${bits}_mode_without_model refused ();
  endgenerate
endmodule
`;

/** Sums, differences, and what a wire chooses of both. Source: Gowin UG288. */
const adder = `\
module ALU (input I0, I1, I3, CIN, output SUM, COUT);
  parameter ALU_MODE = 0;
  wire adds = ALU_MODE == 0 ? 1'b1 : ALU_MODE == 1 ? 1'b0 : I3;
  wire differ = I0 ^ (adds ? I1 : !I1);
  assign SUM = differ ^ CIN;
  assign COUT = differ ? CIN : I0;
  generate
    if (ALU_MODE > 2) (* keep *) ALU_mode_without_model refused ();
  endgenerate
endmodule
`;

const pins = [
  ...["IBUF", "OBUF"].map((name) => bufferCell(name, "I", "O")),
  inverterCell("INV", "I", "O"),
  constantCell("VCC", "V", 1),
  constantCell("GND", "G", 0),
  "module GSR (input GSRI);\nendmodule\n",
].join("\n");

const pllSettings = [
  "FCLKIN DEVICE IDIV_SEL FBDIV_SEL ODIV_SEL DYN_IDIV_SEL DYN_FBDIV_SEL DYN_ODIV_SEL DYN_SDIV_SEL",
  "PSDA_SEL DYN_DA_EN DUTYDA_SEL CLKFB_SEL CLKOUT_BYPASS CLKOUTP_BYPASS CLKOUTD_BYPASS CLKOUTD_SRC CLKOUTD3_SRC",
].flatMap((line) => line.split(" "));

/** The simulated clock is the one that the design runs at: it passes, and is locked. */
const pll = `\
module rPLL (
  input CLKIN, CLKFB, RESET, RESET_P, input [5:0] FBDSEL, IDSEL, ODSEL, input [3:0] PSDA, DUTYDA, FDLY,
  output CLKOUT, CLKOUTP, CLKOUTD, CLKOUTD3, LOCK
);
${pllSettings.map((name) => `  parameter ${name} = 0;\n`).join("")}\
  assign CLKOUT = CLKIN;
  assign LOCK = 1'b1;
endmodule
`;

/** The Gowin cells that `synth_gowin` makes of our designs, as Verilog to be simulated. Source of the logic cells: Gowin UG288. */
export const cellModels = [
  ...[1, 2, 3, 4].map(lut),
  ...["MUX2", "MUX2_LUT5", "MUX2_LUT6", "MUX2_LUT7", "MUX2_LUT8"].map(mux),
  ...(["", "S", "R"] as const).flatMap((control) => [
    flipFlop(control, ""),
    flipFlop(control, "E"),
  ]),
  adder,
  ...[1, 2, 4].map(distributedRam),
  blockRamModels,
  multiplier(9),
  multiplier(18),
  pins,
  pll,
].join("\n");
