import { bufferCell, constantCell, inverterCell, tableCell } from "../cell-text";
import { blockRamModels } from "./block-ram";
import { multiplierModels } from "./multiplier";

const lut = (inputs: number) =>
  tableCell(
    `LUT${inputs}`,
    Array.from({ length: inputs }, (_, index) => `I${index}`),
    { output: "O", contents: "INIT" },
  );

/** A flip-flop; its set or reset comes before its enable. */
const flipFlop = (name: string, pin: string, value: 0 | 1) => `\
module ${name} (input C, CE, D, ${pin}, output reg Q);
  parameter [0:0] INIT = 1'b${value};
  parameter [0:0] IS_C_INVERTED = 1'b0;
  parameter [0:0] IS_D_INVERTED = 1'b0;
  parameter [0:0] IS_${pin}_INVERTED = 1'b0;
  initial Q = INIT;
  always @(posedge C) if (${pin} ^ IS_${pin}_INVERTED) Q <= 1'b${value}; else if (CE) Q <= D ^ IS_D_INVERTED;
  generate
    if (IS_C_INVERTED) (* keep *) ${name}_mode_without_model refused ();
  endgenerate
endmodule
`;

const mux = (name: string) => `\
module ${name} (input I0, I1, S, output O);
  assign O = S ? I1 : I0;
endmodule
`;

const carry = `\
module CARRY4 (output [3:0] CO, O, input CI, CYINIT, input [3:0] DI, S);
  wire [4:0] carry;
  assign carry[0] = CI | CYINIT;
  assign carry[4:1] = CO;
  assign CO[0] = S[0] ? carry[0] : DI[0];
  assign CO[1] = S[1] ? CO[0] : DI[1];
  assign CO[2] = S[2] ? CO[1] : DI[2];
  assign CO[3] = S[3] ? CO[2] : DI[3];
  assign O = S ^ carry[3:0];
endmodule
`;

const shiftRegister = (name: string, depth: number) => {
  const address = depth === 16 ? "A0, A1, A2, A3" : "";
  const tail = depth === 16 ? "" : ", output Q31";
  const select = depth === 16 ? "{A3, A2, A1, A0}" : "A";
  return `\
module ${name} (input D, CLK, CE, input ${depth === 16 ? address : "[4:0] A"}, output Q${tail});
  parameter [${depth - 1}:0] INIT = 0;
  parameter [0:0] IS_CLK_INVERTED = 1'b0;
  reg [${depth - 1}:0] held = INIT;
  always @(posedge CLK) if (CE) held <= {held[${depth - 2}:0], D};
  assign Q = held[${select}];
${tail === "" ? "" : "  assign Q31 = held[31];\n"}\
  generate
    if (IS_CLK_INVERTED) (* keep *) ${name}_mode_without_model refused ();
  endgenerate
endmodule
`;
};

/** A memory in tables whose last one writes: each table reads at an address of its own. */
const distributedRam = (name: string, depth: 32 | 64, width: 1 | 2, letters: string) => {
  const range = width === 1 ? "" : "[1:0] ";
  const bits = depth === 32 ? 4 : 5;
  const tables = [...letters];
  const writes = tables.at(-1) ?? "";
  const inits = tables.map((each) => `  parameter [63:0] INIT_${each} = 0;\n`).join("");
  const memories = tables.map(
    (each) => `\
  reg ${range}mem_${each} [0:${depth - 1}];
  integer i_${each};
  initial for (i_${each} = 0; i_${each} < ${depth}; i_${each} = i_${each} + 1)
    mem_${each}[i_${each}] = INIT_${each}[${width} * i_${each} +: ${width}];
  always @(posedge WCLK) if (WE) mem_${each}[ADDR${writes}] <= DI${each};
  assign DO${each} = mem_${each}[ADDR${each}];
`,
  );
  return `\
module ${name} (
  output ${range}${tables.map((each) => `DO${each}`).join(", ")},
  input [${bits}:0] ${tables.map((each) => `ADDR${each}`).join(", ")},
  input ${range}${tables.map((each) => `DI${each}`).join(", ")},
  input WCLK, WE
);
${inits}\
  parameter [0:0] IS_WCLK_INVERTED = 1'b0;
${memories.join("")}\
  generate
    if (IS_WCLK_INVERTED) (* keep *) ${name}_mode_without_model refused ();
  endgenerate
endmodule
`;
};

/** A table that is one bit wide, with one address that reads and one that writes. */
const dualPortRam = (depth: 32 | 64) => {
  const bits = depth === 32 ? 5 : 6;
  const pins = (prefix: string) => Array.from({ length: bits }, (_, index) => `${prefix}${index}`);
  const bus = (prefix: string) => `{${pins(prefix).toReversed().join(", ")}}`;
  return `\
module RAM${depth}X1D (output DPO, SPO, input D, WCLK, WE, ${pins("A").join(", ")}, ${pins("DPRA").join(", ")});
  parameter [${depth - 1}:0] INIT = 0;
  parameter [0:0] IS_WCLK_INVERTED = 1'b0;
  reg mem [0:${depth - 1}];
  integer i;
  initial for (i = 0; i < ${depth}; i = i + 1) mem[i] = INIT[i];
  always @(posedge WCLK) if (WE) mem[${bus("A")}] <= D;
  assign SPO = mem[${bus("A")}];
  assign DPO = mem[${bus("DPRA")}];
  generate
    if (IS_WCLK_INVERTED) (* keep *) RAM${depth}X1D_mode_without_model refused ();
  endgenerate
endmodule
`;
};

/** The simulated clock is the one that the design runs at: it passes buffers and the PLL, which is locked. */
const clockAndPins = `\
module IBUFDS (input I, IB, output O);
  assign O = I;
endmodule

module PLLE2_BASE (
  output CLKOUT0, CLKOUT1, CLKOUT2, CLKOUT3, CLKOUT4, CLKOUT5, CLKFBOUT, LOCKED,
  input CLKIN1, CLKFBIN, RST, PWRDWN
);
  parameter CLKFBOUT_MULT = 5;
  parameter CLKIN1_PERIOD = 0.0;
  parameter CLKOUT0_DIVIDE = 1;
  parameter DIVCLK_DIVIDE = 1;
  assign CLKOUT0 = CLKIN1;
  assign LOCKED = 1'b1;
endmodule
`;

/**
 * The cells that `synth_xilinx` makes of our designs for 7-series and UltraScale+ parts, as Verilog to be simulated.
 * Sources: AMD UG953 and UG974.
 */
export const cellModels = [
  ...[1, 2, 3, 4, 5, 6].map(lut),
  flipFlop("FDRE", "R", 0),
  flipFlop("FDSE", "S", 1),
  ...["MUXF7", "MUXF8", "MUXF9"].map(mux),
  inverterCell("INV", "I", "O"),
  constantCell("VCC", "P", 1),
  constantCell("GND", "G", 0),
  carry,
  shiftRegister("SRL16E", 16),
  shiftRegister("SRLC32E", 32),
  distributedRam("RAM32M", 32, 2, "ABCD"),
  distributedRam("RAM64M", 64, 1, "ABCD"),
  distributedRam("RAM32M16", 32, 2, "ABCDEFGH"),
  distributedRam("RAM64M8", 64, 1, "ABCDEFGH"),
  dualPortRam(32),
  dualPortRam(64),
  blockRamModels,
  multiplierModels,
  ...["IBUF", "OBUF", "BUFG"].map((name) => bufferCell(name, "I", "O")),
  clockAndPins,
].join("\n");
