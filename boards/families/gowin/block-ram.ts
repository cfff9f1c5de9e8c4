import { portVerilog, ramVerilog } from "../block-ram";

type Unit = 8 | 9;

const contents = (unit: Unit) =>
  ramVerilog({
    unit,
    row: "INIT_RAM_",
    declare: (name) => `parameter [${32 * unit - 1}:0] ${name} = 0;`,
    word: (name) => `${name}[${4 * unit} * i +: ${4 * unit}]`,
  });

/** What a port shows that writes, from Gowin's numbers: 0 nothing new, 1 the new word, 2 the old one. */
const onWrite = (mode: string) => `(${mode} == 1 ? 2 : ${mode} == 2 ? 1 : 0)`;

/** What of a width-`bits` value a bus of `pins` has. */
const widened = (name: string, pins: number, unit: Unit) =>
  pins === 4 * unit ? name : `{${4 * unit - pins}'b0, ${name}}`;

const refusal = (name: string, condition: string) => `\
  generate
    if (${condition}) (* keep *) ${name}_mode_without_model refused ();
  endgenerate
`;

const onePort = (name: string, unit: Unit) => `\
module ${name} (
  input [${4 * unit - 1}:0] DI, input [2:0] BLKSEL, input [13:0] AD, input WRE, CLK, CE, OCE, RESET,
  output [${4 * unit - 1}:0] DO
);
  parameter READ_MODE = 0;
  parameter WRITE_MODE = 0;
  parameter BIT_WIDTH = ${4 * unit};
  parameter [2:0] BLK_SEL = 0;
  parameter RESET_MODE = "SYNC";
${contents(unit)}
  reg [${4 * unit - 1}:0] held = 0;
  assign DO = held;
${portVerilog({
  clock: "CLK",
  enable: "CE && BLKSEL == BLK_SEL",
  write: "WRE",
  address: "AD",
  width: "BIT_WIDTH",
  data: "DI",
  held: "held",
  onWrite: onWrite("WRITE_MODE"),
  reset: "RESET",
})}
${refusal(name, "READ_MODE")}\
endmodule
`;

const twoPorts = (name: string, unit: Unit) => `\
module ${name} (
  input [${2 * unit - 1}:0] DIA, DIB, input [2:0] BLKSELA, BLKSELB, input [13:0] ADA, ADB,
  input WREA, WREB, CLKA, CLKB, CEA, CEB, OCEA, OCEB, RESETA, RESETB,
  output [${2 * unit - 1}:0] DOA, DOB
);
  parameter READ_MODE0 = 0;
  parameter READ_MODE1 = 0;
  parameter WRITE_MODE0 = 0;
  parameter WRITE_MODE1 = 0;
  parameter BIT_WIDTH_0 = ${2 * unit};
  parameter BIT_WIDTH_1 = ${2 * unit};
  parameter [2:0] BLK_SEL_0 = 0;
  parameter [2:0] BLK_SEL_1 = 0;
  parameter RESET_MODE = "SYNC";
${contents(unit)}
  reg [${4 * unit - 1}:0] held_a = 0;
  reg [${4 * unit - 1}:0] held_b = 0;
  assign DOA = held_a;
  assign DOB = held_b;
${(["A", "B"] as const)
  .map((port, index) =>
    portVerilog({
      clock: `CLK${port}`,
      enable: `CE${port} && BLKSEL${port} == BLK_SEL_${index}`,
      write: `WRE${port}`,
      address: `AD${port}`,
      width: `BIT_WIDTH_${index}`,
      data: widened(`DI${port}`, 2 * unit, unit),
      held: `held_${port.toLowerCase()}`,
      onWrite: onWrite(`WRITE_MODE${index}`),
      reset: `RESET${port}`,
    }),
  )
  .join("")}
${refusal(name, "READ_MODE0 || READ_MODE1")}\
endmodule
`;

const writeAndRead = (name: string, unit: Unit) => `\
module ${name} (
  input [${4 * unit - 1}:0] DI, input [2:0] BLKSELA, BLKSELB, input [13:0] ADA, ADB,
  input CLKA, CLKB, CEA, CEB, OCE, RESETA, RESETB, RESET,
  output [${4 * unit - 1}:0] DO
);
  parameter READ_MODE = 0;
  parameter BIT_WIDTH_0 = ${4 * unit};
  parameter BIT_WIDTH_1 = ${4 * unit};
  parameter [2:0] BLK_SEL_0 = 0;
  parameter [2:0] BLK_SEL_1 = 0;
  parameter RESET_MODE = "SYNC";
${contents(unit)}
  reg [${4 * unit - 1}:0] held = 0;
  assign DO = held;
${portVerilog({
  clock: "CLKA",
  enable: "CEA && BLKSELA == BLK_SEL_0",
  write: "1'b1",
  address: "ADA",
  width: "BIT_WIDTH_0",
  data: "DI",
})}
${portVerilog({
  clock: "CLKB",
  enable: "CEB && BLKSELB == BLK_SEL_1",
  write: "1'b0",
  address: "ADB",
  width: "BIT_WIDTH_1",
  data: "DI",
  held: "held",
  // RESETB has another name on GW5A.
  reset: "RESETB || RESET",
})}
${refusal(name, "READ_MODE")}\
endmodule
`;

/**
 * The block RAMs, with and without parity bits: one port, two, or one that writes and one that reads. Resets are
 * synchronous here; designs hold them at 0. Source: Gowin UG285.
 */
export const blockRamModels = [
  onePort("SP", 8),
  onePort("SPX9", 9),
  twoPorts("DPB", 8),
  twoPorts("DPX9B", 9),
  writeAndRead("SDPB", 8),
  writeAndRead("SDPX9B", 9),
].join("\n");
