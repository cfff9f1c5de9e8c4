import { widthFor } from "../../integer/range";
import { weightBits, weightMemoryOf } from "../../verilog/memory";
import { resize } from "../../verilog/resize";
import type { CoreLayout } from "./core-layout";
import { hasLoads } from "./emit-load";
import { choose } from "./emit-text";
import { sweepWidthOf } from "./emit-walk";
import { declareMemory, type MemoryImage } from "./memories";

/** The memory of maps, those of weights, and the lanes, which sum one window together. */
export function emitArray(layout: CoreLayout): string {
  const { lanes, depth, weights, widths, sweeps, inputs } = layout;
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
  wire write_enable = idle ? accept & ~in_full : write[${12 + layout.schedule.lookUp}] & ~answers${hasLoads(layout) ? " & ~loads" : ""};
  wire [${widths.address - 1}:0] map_address = idle ? ${resize("in_index", inputWidth, widths.address)} : write_address;
  always @(posedge clk) begin
    activation <= maps[address];
    if (write_enable) maps[map_address] <= idle ? in_data : tap_pool;
  end
${layout.hasPairs ? emitSecond(layout) : ""}
${weights.map((memory, at) => emitWeights(memory, at, layout)).join("\n")}
  // ---- Lanes: multiply, accumulate; the finished sums move into the drain register.

  wire has_sign = ${signed};
  wire [7:0] seen = outside_3 ? ${outside} : activation;
  wire signed [8:0] operand = {has_sign & seen[7], seen};
${layout.hasPairs ? emitSecondOperand(outside) : ""}  reg step_4, window_ends_4, accumulate, clear, deliver;
  always @(posedge clk) begin
    step_4 <= step_3 & ~rst;
    window_ends_4 <= window_ends_3 & ~rst;
    accumulate <= step_4 | rst;
    clear <= window_ends_4 | rst;
    deliver <= window_ends_4;
  end
${Array.from({ length: lanes }, (_, lane) => emitLane(lane, layout)).join("\n")}
`;
}

/** Weights, one word in each step; those of products are written by the sweep that makes them. */
function emitWeights(memory: MemoryImage, at: number, layout: CoreLayout): string {
  const { name, width } = memory;
  const declared = `${declareMemory(memory, "block", hasLoads(layout))}
  reg [${width - 1}:0] ${name}_word;
`;
  if (!hasLoads(layout))
    return `${declared}  always @(posedge clk) ${name}_word <= ${name}[row];\n`;
  const own = layout.weights.length > 1 ? ` & (load_lane >> 1 == ${at})` : "";
  const word = width > weightBits ? "{tap_pool, load_low}" : "load_low";
  return `${declared}  always @(posedge clk) begin
    ${name}_word <= ${name}[row];
    if (load${own}) ${name}[load_row] <= ${word};
  end
`;
}

/** The same maps once more, read where the second pixel of a pair lies; elsewhere both read the same. */
function emitSecond(layout: CoreLayout): string {
  const { sweeps, depth, widths } = layout;
  const sweepWidth = sweepWidthOf(layout);
  const steps = sweeps.map(({ pair }) => pair?.address ?? 0);
  return `
  (* ram_style = "block", no_rw_check *) reg [7:0] second_maps [0:${depth - 1}];
  reg [7:0] second_activation;
  wire [${widths.address - 1}:0] second_address = address + ${choose("sweep_2", sweepWidth, steps, widths.address)};
  always @(posedge clk) begin
    second_activation <= second_maps[second_address];
    if (write_enable) second_maps[map_address] <= idle ? in_data : tap_pool;
  end
`;
}

const emitSecondOperand = (outside: string): string => `\
  wire [7:0] second_seen = outside_second_3 ? ${outside} : second_activation;
  wire signed [8:0] second_operand = {has_sign & second_seen[7], second_seen};
`;

function emitLane(lane: number, { lanes, accumulatorWidth: width, hasPairs }: CoreLayout): string {
  const operand = hasPairs && lane >= lanes / 2 ? "second_operand" : "operand";
  const { name, bit } = weightMemoryOf(lane);
  const next = lane === lanes - 1 ? `${width}'sd0` : `drain_${lane + 1}`;
  return `  wire signed [16:0] product_${lane};
  multiply multiply_${lane} (.clk(clk), .a(${operand}), .b(${name}_word[${bit + 7}:${bit}]), .product(product_${lane}));
  reg signed [${width - 1}:0] accumulator_${lane}, drain_${lane};
  wire signed [${width - 1}:0] sum_${lane} = accumulator_${lane} + product_${lane};
  always @(posedge clk) begin
    if (accumulate) accumulator_${lane} <= clear ? ${width}'sd0 : sum_${lane};
    drain_${lane} <= deliver ? sum_${lane} : ${next};
  end
`;
}
