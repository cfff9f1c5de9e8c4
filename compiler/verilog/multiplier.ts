/**
 * A signed product, two cycles after its operands: the one place with a `*`. Yosys maps it to a multiplier block where a
 * part has them, and to cells elsewhere.
 *
 * @param width Bits of the first operand; the second has 8.
 */
export const emitMultiplier = (width: number): string => `\
module multiply (
  input clk,
  input signed [${width - 1}:0] a,
  input signed [7:0] b,
  output reg signed [${width + 7}:0] product
);
  reg signed [${width - 1}:0] held_a;
  reg signed [7:0] held_b;
  always @(posedge clk) begin
    held_a <= a;
    held_b <= b;
    product <= held_a * held_b;
  end
endmodule
`;
