import { widthFor } from "../range";
import type { CoreLayout } from "./core-layout";
import { choose, resize } from "./emit-text";
import { sweepWidthOf } from "./emit-walk";
import { declareMemory, weightMemoryOf } from "./memories";

/** The one place with a `*`: families map it to a multiplier, or to cells. */
export const multiplyModule = `module multiply (
  input clk,
  input signed [8:0] a,
  input signed [7:0] b,
  output reg signed [16:0] product
);
  reg signed [8:0] held_a;
  reg signed [7:0] held_b;
  always @(posedge clk) begin
    held_a <= a;
    held_b <= b;
    product <= held_a * held_b;
  end
endmodule
`;

/** The memory of maps, those of weights, and the lanes, which sum one window together. */
export function emitArray(layout: CoreLayout): string {
  const { lanes, depth, weights, widths, sweeps, inputs, accumulatorWidth } = layout;
  const sweepWidth = sweepWidthOf(layout);
  const inputWidth = widthFor(inputs);
  const perSweep = (values: readonly number[], width: number) =>
    choose("sweep_3", sweepWidth, values, width);
  const signed = perSweep(
    sweeps.map(({ readsSigned }) => (readsSigned ? 1 : 0)),
    1,
  );
  const outside = perSweep(
    sweeps.map(({ edge }) => edge?.value ?? 0),
    8,
  );
  return `  // ---- Memories of maps and weights.

  (* ram_style = "block", no_rw_check *) reg [7:0] maps [0:${depth - 1}];
  reg [7:0] activation;
  wire write_enable = idle ? accept & ~in_full : write[12] & ~answers;
  wire [${widths.address - 1}:0] map_address = idle ? ${resize("in_index", inputWidth, widths.address)} : write_address;
  always @(posedge clk) begin
    activation <= maps[address];
    if (write_enable) maps[map_address] <= idle ? in_data : tap_pool;
  end

${weights.map((memory) => `${declareMemory(memory, "block")}\n  reg [${memory.width - 1}:0] ${memory.name}_word;\n  always @(posedge clk) ${memory.name}_word <= ${memory.name}[row];\n`).join("\n")}
  // ---- Lanes: multiply, accumulate; the finished sums move into the drain register.

  wire [7:0] seen = outside_3 ? ${outside} : activation;
  wire signed [8:0] operand = {${signed} & seen[7], seen};
  reg step_4, window_ends_4, accumulate, clear, deliver;
  always @(posedge clk) begin
    step_4 <= step_3 & ~rst;
    window_ends_4 <= window_ends_3 & ~rst;
    accumulate <= step_4 | rst;
    clear <= window_ends_4 | rst;
    deliver <= window_ends_4;
  end
${Array.from({ length: lanes }, (_, lane) => emitLane(lane, lanes, accumulatorWidth)).join("\n")}
`;
}

function emitLane(lane: number, lanes: number, width: number): string {
  const { name, bit } = weightMemoryOf(lane);
  const next = lane === lanes - 1 ? `${width}'sd0` : `drain_${lane + 1}`;
  return `  wire signed [16:0] product_${lane};
  multiply multiply_${lane} (.clk(clk), .a(operand), .b(${name}_word[${bit + 7}:${bit}]), .product(product_${lane}));
  reg signed [${width - 1}:0] accumulator_${lane}, drain_${lane};
  wire signed [${width - 1}:0] sum_${lane} = accumulator_${lane} + product_${lane};
  always @(posedge clk) begin
    if (accumulate) accumulator_${lane} <= clear ? ${width}'sd0 : sum_${lane};
    drain_${lane} <= deliver ? sum_${lane} : ${next};
  end
`;
}
