/** One half of the output: an adder or accumulator of 16 bits behind the products. */
const half = (names: {
  readonly side: "top" | "bottom";
  readonly load: string;
  readonly input: string;
  readonly multiplied: string;
  readonly product: string;
  readonly product8: string;
  readonly extension: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly carry: string;
}) => {
  const { side, load, input, multiplied, product, product8, extension, prefix, suffix } = names;
  return `\
  reg [15:0] ${side}_held = 0;
  wire ${side}_sub = ADDSUB${suffix};
  wire [15:0] ${side}_upper = ${prefix}ADDSUB_UPPERINPUT ? ${input} : ${side}_held;
  wire [15:0] ${side}_lower = ${prefix}ADDSUB_LOWERINPUT == 0 ? ${multiplied}
    : ${prefix}ADDSUB_LOWERINPUT == 1 ? ${product8}
    : ${prefix}ADDSUB_LOWERINPUT == 2 ? ${product} : {16{${extension}}};
  wire ${side}_carry_in = ${names.carry};
  wire ${side}_carry_out;
  wire [15:0] ${side}_sum;
  assign {${side}_carry_out, ${side}_sum} =
    {1'b0, ${side}_lower} + {1'b0, ${side}_sub ? ~${side}_upper : ${side}_upper} + ${side}_carry_in;
  // Subtracting gives upper - lower: the complement of what the complement adds up to.
  wire [15:0] ${side}_next = ${load} ? ${input} : ${side}_sub ? ~${side}_sum : ${side}_sum;
  always @(posedge CLK)
    if (ORST${suffix}) ${side}_held <= 0;
    else if (CE && !OHOLD${suffix}) ${side}_held <= ${side}_next;
  wire [15:0] ${side}_out = ${prefix}OUTPUT_SELECT == 0 ? ${side}_next : ${prefix}OUTPUT_SELECT == 1 ? ${side}_held
    : ${prefix}OUTPUT_SELECT == 2 ? ${product8} : ${product};
`;
};

const held = (name: string, from: string, { hold, reset }: { hold: string; reset: string }) => `\
  reg [15:0] ${name}_held = 0;
  always @(posedge CLK)
    if (${reset}) ${name}_held <= 0;
    else if (CE && !${hold}) ${name}_held <= ${from};
  wire [15:0] ${name} = ${from}_REG ? ${name}_held : ${from};
`;

/**
 * The multiplier block: one product of 16 bits or two of 8, with registers before, within and behind, and two adders
 * that join to one. Resets are synchronous here; designs hold them at 0. Source: Lattice FPGA-TN-02007.
 */
export const multiplierModel = `\
module SB_MAC16 (
  input CLK, CE,
  input [15:0] C, A, B, D,
  input AHOLD, BHOLD, CHOLD, DHOLD, IRSTTOP, IRSTBOT, ORSTTOP, ORSTBOT, OLOADTOP, OLOADBOT,
  input ADDSUBTOP, ADDSUBBOT, OHOLDTOP, OHOLDBOT, CI, ACCUMCI, SIGNEXTIN,
  output [31:0] O, output CO, ACCUMCO, SIGNEXTOUT
);
  parameter NEG_TRIGGER = 0;
  parameter C_REG = 0;
  parameter A_REG = 0;
  parameter B_REG = 0;
  parameter D_REG = 0;
  parameter TOP_8x8_MULT_REG = 0;
  parameter BOT_8x8_MULT_REG = 0;
  parameter PIPELINE_16x16_MULT_REG1 = 0;
  parameter PIPELINE_16x16_MULT_REG2 = 0;
  parameter TOPOUTPUT_SELECT = 0;
  parameter TOPADDSUB_LOWERINPUT = 0;
  parameter TOPADDSUB_UPPERINPUT = 0;
  parameter TOPADDSUB_CARRYSELECT = 0;
  parameter BOTOUTPUT_SELECT = 0;
  parameter BOTADDSUB_LOWERINPUT = 0;
  parameter BOTADDSUB_UPPERINPUT = 0;
  parameter BOTADDSUB_CARRYSELECT = 0;
  parameter MODE_8x8 = 0;
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
${held("a", "A", { hold: "AHOLD", reset: "IRSTTOP" })}\
${held("b", "B", { hold: "BHOLD", reset: "IRSTBOT" })}\
${held("c", "C", { hold: "CHOLD", reset: "IRSTTOP" })}\
${held("d", "D", { hold: "DHOLD", reset: "IRSTBOT" })}
  wire signed [16:0] whole_a = {A_SIGNED && a[15], a};
  wire signed [16:0] whole_b = {B_SIGNED && b[15], b};
  wire signed [33:0] whole_now = whole_a * whole_b;
  wire signed [8:0] high_a = {A_SIGNED && a[15], a[15:8]};
  wire signed [8:0] high_b = {B_SIGNED && b[15], b[15:8]};
  wire signed [8:0] low_a = {A_SIGNED && a[7], a[7:0]};
  wire signed [8:0] low_b = {B_SIGNED && b[7], b[7:0]};
  wire signed [17:0] high_now = high_a * high_b;
  wire signed [17:0] low_now = low_a * low_b;
  // The whole product is put together of four, each held by the same register stage.
  reg [31:0] whole_held = 0;
  reg [31:0] whole_twice = 0;
  reg [15:0] high_held = 0;
  reg [15:0] low_held = 0;
  always @(posedge CLK)
    if (IRSTTOP) high_held <= 0;
    else if (CE) high_held <= high_now[15:0];
  always @(posedge CLK)
    if (IRSTBOT) low_held <= 0;
    else if (CE) low_held <= low_now[15:0];
  wire [31:0] whole_once = PIPELINE_16x16_MULT_REG1 ? whole_held : whole_now[31:0];
  always @(posedge CLK)
    if (IRSTBOT) begin
      whole_held <= 0;
      whole_twice <= 0;
    end else if (CE) begin
      whole_held <= whole_now[31:0];
      whole_twice <= whole_once;
    end
  wire [31:0] whole = PIPELINE_16x16_MULT_REG2 ? whole_twice : whole_once;
  wire [15:0] high = TOP_8x8_MULT_REG ? high_held : high_now[15:0];
  wire [15:0] low = BOT_8x8_MULT_REG ? low_held : low_now[15:0];

${half({
  side: "bottom",
  load: "OLOADBOT",
  input: "d",
  multiplied: "b",
  product: "whole[15:0]",
  product8: "low",
  extension: "SIGNEXTIN",
  prefix: "BOT",
  suffix: "BOT",
  carry:
    "BOTADDSUB_CARRYSELECT == 0 ? 1'b0 : BOTADDSUB_CARRYSELECT == 1 ? 1'b1 : BOTADDSUB_CARRYSELECT == 2 ? ACCUMCI : CI",
})}
${half({
  side: "top",
  load: "OLOADTOP",
  input: "c",
  multiplied: "a",
  product: "whole[31:16]",
  product8: "high",
  extension: "bottom_lower[15]",
  prefix: "TOP",
  suffix: "TOP",
  carry:
    "TOPADDSUB_CARRYSELECT == 0 ? 1'b0 : TOPADDSUB_CARRYSELECT == 1 ? 1'b1 : TOPADDSUB_CARRYSELECT == 2 ? bottom_carry_out : bottom_carry_out ^ bottom_sub",
})}
  assign O = {top_out, bottom_out};
  assign ACCUMCO = top_carry_out;
  assign CO = top_carry_out ^ top_sub;
  assign SIGNEXTOUT = top_lower[15];
  generate
    // Of a whole product, the four parts are held alike or not at all, and no half is shown; of two, the whole is not.
    if (NEG_TRIGGER || (MODE_8x8
        ? PIPELINE_16x16_MULT_REG1 || PIPELINE_16x16_MULT_REG2 || TOPADDSUB_LOWERINPUT == 2 || BOTADDSUB_LOWERINPUT == 2
          || TOPOUTPUT_SELECT == 3 || BOTOUTPUT_SELECT == 3
        : TOP_8x8_MULT_REG != PIPELINE_16x16_MULT_REG1 || BOT_8x8_MULT_REG != PIPELINE_16x16_MULT_REG1
          || TOPADDSUB_LOWERINPUT == 1 || BOTADDSUB_LOWERINPUT == 1 || TOPOUTPUT_SELECT == 2 || BOTOUTPUT_SELECT == 2))
      (* keep *) SB_MAC16_mode_without_model refused ();
  endgenerate
endmodule
`;
