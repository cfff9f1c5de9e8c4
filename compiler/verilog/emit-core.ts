import type { IntegerGraph } from "../integer-graph";
import { widthFor } from "../range";
import { accumulatorWidthOf, hiddenWidthOf, type Schedule } from "../schedule";
import {
  constantsMemory,
  hex,
  lanesPerMemory,
  type MemoryImage,
  shiftWidth,
  weightMemories,
} from "./memories";
import { programOf } from "./program";

/** Which of the small memories take block RAM; the others become logic cells. */
export interface MemoryStyles {
  readonly constants: "block" | "logic";
  readonly result: "block" | "logic";
}

/**
 * Prints the module `core`: one array of multiply-accumulate lanes that runs every layer of the graph in turn.
 * Deterministic: equal graphs and schedules give equal text. The page `docs/compiler.md` explains the structure.
 */
export function emitCore(graph: IntegerGraph, schedule: Schedule, styles: MemoryStyles): string {
  const { lanes, evenRegion, oddRegion, groups } = schedule;
  const width = accumulatorWidthOf(graph);
  const hidden = hiddenWidthOf(graph);
  const weights = weightMemories(graph, schedule);
  const constants = constantsMemory(graph);
  const { image: program, fields } = programOf(graph, schedule);
  const depth = evenRegion + oddRegion;
  const inputs = graph.input.size;
  const outputs = graph.output.size;

  const inputWidth = widthFor(inputs);
  const addressWidth = widthFor(Math.max(depth, inputs, outputs));
  const rowWidth = widthFor(schedule.weightRows);
  const constantWidth = widthFor(constants.words.length);
  const groupWidth = widthFor(groups.length);
  const resultWidth = widthFor(outputs);
  const field = (name: string) => {
    const found = fields.find((candidate) => candidate.name === name);
    if (!found) throw new RangeError(`No field ${name}.`);
    return found;
  };
  const slice = (name: string) => {
    const { low, width: bits } = field(name);
    return `entry[${low + bits - 1}:${low}]`;
  };
  const pauseWidth = field("pause").width;
  const lengthWidth = field("length").width;
  const countWidth = field("count").width;

  return `// One array of ${lanes} multiply-accumulate lanes runs the layers ${sizes(schedule)} in turn.
// The weights lie below in the order in which they are used. See docs/compiler.md.

module multiply (
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

module core (
  input clk,
  input rst,
  input in_valid,
  output in_ready,
  input [7:0] in_data,
  input in_last,
  output reg out_valid,
  input out_ready,
  output [7:0] out_data,
  output out_last,
  output reg [31:0] cycles
);

  // ---- Row in: a byte per transfer; a row of the wrong length is dropped at its last byte.

  reg idle;
  reg [${inputWidth - 1}:0] in_index;
  wire accept = in_valid & idle;
  wire in_full = in_index == ${inputWidth}'d${inputs};
  wire row_ends = accept & in_last;
  wire row_good = row_ends & (in_index == ${inputWidth}'d${inputs - 1});
  wire finished;
  reg start;
  assign in_ready = idle;

  always @(posedge clk) begin
    if (rst) begin
      idle <= 1'b1;
      in_index <= ${inputWidth}'d0;
      start <= 1'b0;
    end else begin
      start <= row_good;
      if (row_good) idle <= 1'b0;
      else if (finished) idle <= 1'b1;
      if (row_ends) in_index <= ${inputWidth}'d0;
      else if (accept & ~in_full) in_index <= in_index + ${inputWidth}'d1;
    end
  end

  // ---- Program: one entry per group of outputs.

  reg [${groupWidth - 1}:0] group;
  reg [${program.width - 1}:0] entry;
${declare(program, "logic")}
  always @(posedge clk) entry <= ${program.name}[group];

  // ---- Issue: one input and one word of weights per cycle.

  reg busy;
  reg [${pauseWidth - 1}:0] pause;
  reg [${lengthWidth - 1}:0] remaining;
  reg [${addressWidth - 1}:0] read_address;
  reg [${rowWidth - 1}:0] weight_row;
  reg [${countWidth - 1}:0] group_count;
  reg group_signed;
  reg [4:0] group_flags; // writes_odd, opens, relu, answers, ends
  wire issue = busy & (pause == ${pauseWidth}'d0);
  wire issue_last = issue & (remaining == ${lengthWidth}'d0);
  wire load = start | (issue_last & ~group_flags[0]);

  always @(posedge clk) begin
    if (rst) begin
      busy <= 1'b0;
      group <= ${groupWidth}'d0;
    end else if (load) begin
      busy <= 1'b1;
      group <= ${slice("ends")} ? ${groupWidth}'d0 : group + ${groupWidth}'d1;
    end else if (issue_last) busy <= 1'b0;

    if (load) begin
      pause <= ${slice("pause")};
      remaining <= ${slice("length")};
      read_address <= ${slice("reads_odd")} ? ${addressWidth}'d${evenRegion} : ${addressWidth}'d0;
      group_count <= ${slice("count")};
      group_signed <= ${slice("reads_signed")};
      group_flags <= {~${slice("reads_odd")}, ${slice("opens")}, ${slice("relu")}, ${slice("answers")}, ${slice("ends")}};
    end else if (issue) begin
      remaining <= remaining - ${lengthWidth}'d1;
      read_address <= read_address + ${addressWidth}'d1;
    end else pause <= pause - ${pauseWidth}'d1;

    if (idle) weight_row <= ${rowWidth}'d0;
    else if (issue) weight_row <= weight_row + ${rowWidth}'d1;
  end

  // ---- Memories of activations and weights; what is read goes straight into the lanes' registers.

  (* ram_style = "block", no_rw_check *) reg [7:0] activations [0:${depth - 1}];
  reg [7:0] activation;
  wire write_enable;
  wire [${addressWidth - 1}:0] write_address;
  wire [7:0] write_data;
  always @(posedge clk) begin
    activation <= activations[read_address];
    if (write_enable) activations[write_address] <= write_data;
  end

${weights.map((memory) => `${declare(memory, "block")}\n  reg [${memory.width - 1}:0] ${memory.name}_word;\n  always @(posedge clk) ${memory.name}_word <= ${memory.name}[weight_row];\n`).join("\n")}
  // ---- Stage flags: 1 memories read, 2 operands held, 3 products.

  reg valid_1, valid_2, last_1, last_2, signed_1;
  reg accumulate, clear, deliver;
  reg [${countWidth - 1}:0] count_1;
  reg [4:0] flags_1;
  always @(posedge clk) begin
    valid_1 <= issue & ~rst;
    last_1 <= issue_last & ~rst;
    signed_1 <= group_signed;
    count_1 <= group_count;
    flags_1 <= group_flags;
    valid_2 <= valid_1 & ~rst;
    last_2 <= last_1 & ~rst;
    accumulate <= valid_2 | idle;
    clear <= last_2 | idle;
    deliver <= last_2;
  end

  // ---- Lanes: multiply, accumulate; the finished sums move into the drain register.

  wire signed [8:0] operand = {signed_1 & activation[7], activation};
${Array.from({ length: lanes }, (_, lane) => emitLane(lane, lanes, width)).join("\n")}
  // ---- Drain: one sum per cycle. The constants are read ahead, so that they meet it.

  reg [${countWidth - 1}:0] draining;
  reg [4:0] drain_flags;
  reg element_2, opens_2;
  reg [${constantWidth - 1}:0] constant_index;
  wire ends_2 = element_2 & drain_flags[0] & (draining == ${countWidth}'d0);
  always @(posedge clk) begin
    if (rst) begin
      draining <= ${countWidth}'d0;
      element_2 <= 1'b0;
    end else if (last_1) begin
      draining <= count_1;
      element_2 <= 1'b1;
    end else if (draining != ${countWidth}'d0) draining <= draining - ${countWidth}'d1;
    else element_2 <= 1'b0;
    if (last_1) drain_flags <= flags_1;
    opens_2 <= last_1 & flags_1[3];
    if (idle) constant_index <= ${constantWidth}'d0;
    else if (element_2) constant_index <= constant_index + ${constantWidth}'d1;
  end

${declare(constants, styles.constants)}
  reg [${constants.width - 1}:0] constant_3, constant_4;
  always @(posedge clk) begin
    constant_3 <= ${constants.name}[constant_index];
    constant_4 <= constant_3;
  end

  reg [9:3] element, opens, writes_odd, relu, answers, ends;
  always @(posedge clk) begin
    element <= rst ? 7'd0 : {element[8:3], element_2};
    ends <= rst ? 7'd0 : {ends[8:3], ends_2};
    opens <= {opens[8:3], opens_2};
    writes_odd <= {writes_odd[8:3], drain_flags[4]};
    relu <= {relu[8:3], drain_flags[2]};
    answers <= {answers[8:3], drain_flags[1]};
  end

  // ---- Bias, shift right with rounding, clamp. One extra low bit carries the rounding.

  reg signed [${width - 1}:0] tap_accumulator;
  reg [3:0] shift_5;
  reg [1:0] shift_6;
  reg signed [${width}:0] coarse, fine;
  reg signed [${width - 1}:0] rounded;
  reg [15:0] tap_value;
  wire signed [${width}:0] doubled = {tap_accumulator, 1'b0};
  wire signed [${width}:0] nudged = fine + ${width + 1}'sd1;
  wire negative = rounded[${width - 1}];
  wire fits_16 = (&rounded[${width - 1}:15]) | ~(|rounded[${width - 1}:15]);
  wire fits = (&rounded[${width - 1}:${hidden - 1}]) | ~(|rounded[${width - 1}:${hidden - 1}]);
  wire over = |rounded[${width - 2}:${hidden}];
  always @(posedge clk) begin
    tap_accumulator <= drain_0 + $signed(constant_4[${width - 1}:0]);
    shift_5 <= constant_4[${width + shiftWidth - 1}:${width}];
    coarse <= doubled >>> {shift_5[3:2], 2'b00};
    shift_6 <= shift_5[1:0];
    fine <= coarse >>> shift_6;
    rounded <= nudged[${width}:1];
    if (relu[8] & negative) tap_value <= 16'd0;
    else if (answers[8]) tap_value <= fits_16 ? rounded[15:0] : {negative, {15{~negative}}};
    else if (relu[8]) tap_value <= over ? 16'd${2 ** hidden - 1} : {${16 - hidden}'d0, rounded[${hidden - 1}:0]};
    else tap_value <= fits ? rounded[15:0] : {{${17 - hidden}{negative}}, {${hidden - 1}{~negative}}};
  end

  // ---- Values go back to the activations or, from the last layer, to the result.

  reg [${addressWidth - 1}:0] value_address;
  always @(posedge clk) begin
    if (opens[8]) value_address <= (writes_odd[8] & ~answers[8]) ? ${addressWidth}'d${evenRegion} : ${addressWidth}'d0;
    else if (element[8]) value_address <= value_address + ${addressWidth}'d1;
  end
  assign write_enable = idle ? accept & ~in_full : element[9] & ~answers[9];
  assign write_address = idle ? ${resize("in_index", inputWidth, addressWidth)} : value_address;
  assign write_data = idle ? in_data : tap_value[7:0];

  (* ram_style = "${styles.result}", no_rw_check *) reg [15:0] results [0:${outputs - 1}];
  reg [${resultWidth - 1}:0] result_index;
  reg [15:0] result;
  always @(posedge clk) begin
    result <= results[result_index];
    if (element[9] & answers[9]) results[${resize("value_address", addressWidth, resultWidth)}] <= tap_value;
  end

  // ---- Row out: two bytes per result, the low one first.

  reg ended_1, ended_2, high;
  reg [15:0] word;
  wire sent = out_valid & out_ready;
  wire all_sent = result_index == ${resultWidth}'d${outputs};
  assign finished = sent & high & all_sent;
  assign out_data = high ? word[15:8] : word[7:0];
  assign out_last = high & all_sent;
  always @(posedge clk) begin
    ended_1 <= ends[9] & ~rst;
    ended_2 <= ended_1 & ~rst;
    if (rst) out_valid <= 1'b0;
    else if (ended_2) out_valid <= 1'b1;
    else if (finished) out_valid <= 1'b0;

    if (idle) result_index <= ${resultWidth}'d0;
    else if (ended_2 | (sent & high & ~all_sent)) result_index <= result_index + ${resultWidth}'d1;
    if (ended_2 | (sent & high)) word <= result;
    if (ended_2) high <= 1'b0;
    else if (sent) high <= ~high;
  end

  // ---- Cycles from the last input byte to the first result byte.

  reg counting;
  always @(posedge clk) begin
    if (rst | ended_2) counting <= 1'b0;
    else if (row_good) counting <= 1'b1;
    if (rst) cycles <= 32'd0;
    else if (row_good) cycles <= 32'd1;
    else if (counting) cycles <= cycles + 32'd1;
  end
endmodule
`;
}

function emitLane(lane: number, lanes: number, width: number): string {
  const memory = Math.floor(lane / lanesPerMemory);
  const low = (lane % lanesPerMemory) * 8;
  const next = lane === lanes - 1 ? `${width}'sd0` : `drain_${lane + 1}`;
  return `  wire signed [16:0] product_${lane};
  multiply multiply_${lane} (.clk(clk), .a(operand), .b(weights_${memory}_word[${low + 7}:${low}]), .product(product_${lane}));
  reg signed [${width - 1}:0] accumulator_${lane}, drain_${lane};
  wire signed [${width - 1}:0] sum_${lane} = accumulator_${lane} + product_${lane};
  always @(posedge clk) begin
    if (accumulate) accumulator_${lane} <= clear ? ${width}'sd0 : sum_${lane};
    drain_${lane} <= deliver ? sum_${lane} : ${next};
  end
`;
}

function declare({ name, width, words }: MemoryImage, style: "block" | "logic"): string {
  const lines = words.map((word, index) => `    ${name}[${index}] = ${hex(word, width)};`);
  return `  (* rom_style = "${style}" *) reg [${width - 1}:0] ${name} [0:${words.length - 1}];
  initial begin
${lines.join("\n")}
  end`;
}

function resize(name: string, from: number, to: number): string {
  if (from > to) return `${name}[${to - 1}:0]`;
  return from === to ? name : `{${to - from}'d0, ${name}}`;
}

function sizes({ layers }: Schedule): string {
  const first = layers[0]?.inputSize ?? 0;
  return [first, ...layers.map(({ outputSize }) => outputSize)].join("-");
}
