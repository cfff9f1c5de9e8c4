import { emitMultiplier } from "../../verilog/multiplier";

/** A product of 8 × 8 bits, two cycles after its operands. */
const inferred = emitMultiplier(8);

/**
 * The same in logic cells, for lanes beyond the last block: without a `*` that would ask for one. Two bits of b at a time
 * are -2, -1, 0, 1 or 2 times a (Booth's recoding); the ones that a complement lacks are added at the end.
 */
const ofCells = `\
module multiply_in_cells (
  input clk,
  input signed [7:0] a,
  input signed [7:0] b,
  output reg signed [15:0] product
);
  reg signed [7:0] held_a;
  reg signed [7:0] held_b;
  function signed [15:0] row(input signed [8:0] factor, input [2:0] digit);
    reg signed [8:0] whole;
    begin
      whole = (digit[1] ^ digit[0]) ? factor : (digit[2] ^ digit[1]) ? factor <<< 1 : 9'sd0;
      row = digit[2] ? ~whole : whole;
    end
  endfunction
  wire signed [8:0] factor = held_a;
  wire [15:0] lacking = {9'd0, held_b[7], 1'b0, held_b[5], 1'b0, held_b[3], 1'b0, held_b[1]};
  always @(posedge clk) begin
    held_a <= a;
    held_b <= b;
    product <= row(factor, {held_b[1:0], 1'b0}) + (row(factor, held_b[3:1]) <<< 2)
      + (row(factor, held_b[5:3]) <<< 4) + (row(factor, held_b[7:5]) <<< 6) + lacking;
  end
endmodule
`;

const zeros = (names: readonly string[], value: string) =>
  names.map((name) => `.${name}(${value})`).join(", ");

/**
 * Two products of one factor in one multiplier block of an iCE40, registers before and behind. Simulated with the model of
 * the cell in `boards/families/ice40`. Source: Lattice FPGA-TN-02007.
 */
const paired = `\
module multiply_pair (
  input clk,
  input signed [7:0] a,
  input signed [7:0] b_0,
  input signed [7:0] b_1,
  output signed [15:0] product_0,
  output signed [15:0] product_1
);
  SB_MAC16 #(
    .MODE_8x8(1'b1), .A_SIGNED(1'b1), .B_SIGNED(1'b1), .A_REG(1'b1), .B_REG(1'b1),
    .TOP_8x8_MULT_REG(1'b1), .BOT_8x8_MULT_REG(1'b1), .TOPOUTPUT_SELECT(2'd2), .BOTOUTPUT_SELECT(2'd2)
  ) block (
    .CLK(clk), .CE(1'b1), .A({a, a}), .B({b_1, b_0}), .O({product_1, product_0}),
    ${zeros(["C", "D"], "16'd0")},
    ${zeros(["AHOLD", "BHOLD", "CHOLD", "DHOLD", "IRSTTOP", "IRSTBOT", "ORSTTOP", "ORSTBOT"], "1'b0")},
    ${zeros(["OLOADTOP", "OLOADBOT", "ADDSUBTOP", "ADDSUBBOT", "OHOLDTOP", "OHOLDBOT", "CI", "ACCUMCI", "SIGNEXTIN"], "1'b0")}
  );
endmodule
`;

/** Modules that multiply, and nothing else: the only place where a design depends on what a part has. */
export const multiplyModules = { inferred, ofCells, paired } as const;
