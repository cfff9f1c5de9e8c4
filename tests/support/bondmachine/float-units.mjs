// Arithmetic of float32 for the stand-in of `bondmachine`: IEEE 754, to nearest even, with subnormal numbers, and the sign bit on
// what is no number, as the real machine's units have it. Each works step by step, a bit of alignment or quotient at a time,
// so that a sum, product or quotient takes about as many cycles as in the real machine.

const ports = (name) => `module ${name}(
  input clk,
  input start,
  input [31:0] a,
  input [31:0] b,
  output reg done,
  output reg [31:0] z
);
  reg [3:0] step = 0;
  reg as, bs, zs;
  reg signed [10:0] ae, be, ze;
  wire a_nan = (a[30:23] == 255) && (a[22:0] != 0);
  wire b_nan = (b[30:23] == 255) && (b[22:0] != 0);
  wire a_inf = a[30:0] == 31'h7f800000;
  wire b_inf = b[30:0] == 31'h7f800000;
  wire a_zero = a[30:0] == 0;
  wire b_zero = b[30:0] == 0;
`;

/** Steps 0 and 1: takes the numbers apart, into mantissas whose binary point is behind the first of 24 bits. */
const unpack = (low) => `
        0: if (start) step <= 1;
        1: begin
          {as, bs} <= {a[31], b[31]};
          ae <= (a[30:23] == 0) ? 1 : a[30:23];
          be <= (b[30:23] == 0) ? 1 : b[30:23];
          am <= {a[30:23] != 0, a[22:0]${low}};
          bm <= {b[30:23] != 0, b[22:0]${low}};
          step <= 2;
        end`;

const notANumber = "32'hffc00000";
const give = (value) => `begin z <= ${value}; step <= 15; end`;

/** From step 7 on: zm has 24 bits, a guard, a round and a sticky bit behind them, and its first bit may be 0. */
const finish = `
        7: if (!zm[26] && ze > 1) begin ze <= ze - 1; zm <= zm << 1; end else step <= 8;
        8: if (ze < 1) begin ze <= ze + 1; zm <= {1'b0, zm[26:2], zm[1] | zm[0]}; end else step <= 9;
        9: begin
          if (zm[2] & (zm[1] | zm[0] | zm[3])) begin
            if (zm[26:3] == 24'hffffff) begin zm <= {24'h800000, 3'b0}; ze <= ze + 1; end
            else zm[26:3] <= zm[26:3] + 1;
          end
          step <= 10;
        end
        10: begin
          if (ze > 254) z <= {zs, 31'h7f800000};
          else z <= {zs, zm[26] ? ze[7:0] : 8'd0, zm[25:3]};
          step <= 15;
        end
        15: begin done <= 1; step <= 0; end`;

const unit = (name, registers, steps) => `${ports(name)}${registers}
  always @(posedge clk) begin
    done <= 0;
    case (step)${steps}${finish}
        default: step <= 0;
    endcase
  end
endmodule
`;

const add = (name) =>
  unit(
    name,
    "  reg [26:0] am, bm, zm;\n  reg [27:0] sum;",
    `${unpack(", 3'b0")}
        2: begin
          if (a_nan | b_nan | (a_inf & b_inf & (as != bs))) ${give(notANumber)}
          else if (a_inf) ${give("a")}
          else if (b_inf) ${give("b")}
          else if (a_zero & b_zero) ${give("{as & bs, 31'd0}")}
          else if (a_zero) ${give("b")}
          else if (b_zero) ${give("a")}
          else step <= 3;
        end
        3: if (ae > be) begin be <= be + 1; bm <= {1'b0, bm[26:2], bm[1] | bm[0]}; end
          else if (ae < be) begin ae <= ae + 1; am <= {1'b0, am[26:2], am[1] | am[0]}; end
          else step <= 4;
        4: begin
          ze <= ae;
          if (as == bs) begin sum <= am + bm; zs <= as; end
          else if (am >= bm) begin sum <= am - bm; zs <= as & (am != bm); end
          else begin sum <= bm - am; zs <= bs; end
          step <= 5;
        end
        5: begin
          if (sum[27]) begin zm <= {sum[27:2], sum[1] | sum[0]}; ze <= ze + 1; end
          else zm <= sum[26:0];
          step <= 7;
        end`,
  );

const multiply = (name) =>
  unit(
    name,
    "  reg [23:0] am, bm;\n  reg [26:0] zm;\n  reg [47:0] product;",
    `${unpack("")}
        2: begin
          zs <= as ^ bs;
          if (a_nan | b_nan | (a_inf & b_zero) | (a_zero & b_inf)) ${give(notANumber)}
          else if (a_inf | b_inf) ${give("{as ^ bs, 31'h7f800000}")}
          else if (a_zero | b_zero) ${give("{as ^ bs, 31'd0}")}
          else step <= 3;
        end
        3: if (!am[23]) begin ae <= ae - 1; am <= am << 1; end else step <= 4;
        4: if (!bm[23]) begin be <= be - 1; bm <= bm << 1; end else step <= 5;
        5: begin product <= am * bm; ze <= ae + be - 126; step <= 6; end
        6: begin zm <= {product[47:22], |product[21:0]}; step <= 7; end`,
  );

const divide = (name) =>
  unit(
    name,
    `  reg [23:0] am, bm;
  reg [26:0] zm;
  reg [49:0] left, quotient;
  reg [24:0] rest;
  reg [5:0] count;`,
    `${unpack("")}
        2: begin
          zs <= as ^ bs;
          if (a_nan | b_nan | (a_inf & b_inf) | (a_zero & b_zero)) ${give(notANumber)}
          else if (a_inf | b_zero) ${give("{as ^ bs, 31'h7f800000}")}
          else if (a_zero | b_inf) ${give("{as ^ bs, 31'd0}")}
          else step <= 3;
        end
        3: if (!am[23]) begin ae <= ae - 1; am <= am << 1; end else step <= 4;
        4: if (!bm[23]) begin be <= be - 1; bm <= bm << 1; end else step <= 5;
        5: begin {left, quotient, rest, count} <= {am, 26'd0, 50'd0, 25'd0, 6'd0}; ze <= ae - be + 127; step <= 6; end
        6: begin rest <= {rest[23:0], left[49]}; left <= left << 1; step <= 11; end
        11: begin
          if (rest >= bm) begin rest <= rest - bm; quotient <= {quotient[48:0], 1'b1}; end
          else quotient <= {quotient[48:0], 1'b0};
          count <= count + 1;
          step <= (count == 49) ? 12 : 6;
        end
        12: begin zm <= {quotient[26:1], quotient[0] | (rest != 0)}; step <= 7; end`,
  );

/** The units by the operation that they do. Each answers with \`done\` for one cycle; operands stay as they are until then. */
export const floatUnits = { addf: add, multf: multiply, divf: divide };
