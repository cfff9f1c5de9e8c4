/**
 * Lines of Yosys that map `sum_with_constant`, `a + b + CONSTANT`, to one carry chain. Where the constant has a 0, two bits
 * make the sum `a ^ b` and the carry `a & b`, where it has a 1 `~(a ^ b)` and `a | b`. The chain adds each bit's sum to the
 * carry of the bit below: a table of both bits and of those below them says whether they differ, and where they do not,
 * the sum is what is carried on. A `CCU2C` takes that from the first quarter of the table, in which the bits below are 0
 * and so is their carry. Mapping `a + b + CONSTANT` as it stands takes two chains, or a table more for each bit.
 */
export const constantSums = `\
design -stash design
read_verilog -noblackbox <<END
module sum_with_constant (a, b, y);
  parameter WIDTH = 1;
  parameter [WIDTH-1:0] CONSTANT = 0;
  localparam cells = (WIDTH + 1) / 2;
  localparam [2*cells:0] bits = {CONSTANT, 1'b0};
  input [WIDTH-1:0] a, b;
  output [WIDTH-1:0] y;
  wire [2*cells-1:0] s;
  wire [cells:0] carry;
  wire [2*cells:0] below_a = {a, 1'b0};
  wire [2*cells:0] below_b = {b, 1'b0};
  assign carry[0] = 1'b0;
  assign y = s[WIDTH-1:0];
  genvar i;
  generate
    for (i = 0; i < cells; i = i + 1) begin : cell_of
      localparam upper = 2 * i + 1 < WIDTH;
      CCU2C #(
        .INIT0(16'h6666 ^ {16{bits[2*i+1]}} ^ {4'hf, {8{bits[2*i]}}, 4'h0}),
        .INIT1(16'h6666 ^ {16{upper & bits[2*i+2-!upper]}} ^ {4'hf, {8{bits[2*i+1]}}, 4'h0}),
        .INJECT1_0("NO"),
        .INJECT1_1("NO")
      ) bits_of (
        .CIN(carry[i]), .COUT(carry[i+1]), .S0(s[2*i]), .S1(s[2*i+1]),
        .A0(below_a[2*i+1]), .B0(below_b[2*i+1]), .C0(below_a[2*i]), .D0(below_b[2*i]),
        .A1(upper ? below_a[2*i+2-!upper] : 1'b0), .B1(upper ? below_b[2*i+2-!upper] : 1'b0),
        .C1(upper ? below_a[2*i+1] : 1'b0), .D1(upper ? below_b[2*i+1] : 1'b0)
      );
    end
  endgenerate
endmodule
END
design -stash constant_sums
design -load design
techmap -map %constant_sums t:sum_with_constant`;
