import { widthFor } from "../range";
import type { CoreLayout } from "./core-layout";
import { emitArray, multiplyModule } from "./emit-array";
import { emitDrain, type MapMemoryStyles } from "./emit-drain";
import { emitWalk } from "./emit-walk";

/**
 * Prints the module `core`: one array of lanes that walks through a memory of feature maps, sweep after sweep.
 * Deterministic: equal layouts give equal text. The page `docs/compiler.md` explains the structure.
 */
export function emitMapCore(layout: CoreLayout, styles: MapMemoryStyles): string {
  const { lanes, sweeps } = layout;
  return `// One array of ${lanes} multiply-accumulate lanes walks through feature maps, ${sweeps.length} times. See docs/compiler.md.

${multiplyModule}
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

${emitRowIn(layout)}
${emitWalk(layout)}
${emitArray(layout)}
${emitDrain(layout, styles)}
${emitRowOut(layout)}
endmodule
`;
}

function emitRowIn({ inputs }: CoreLayout): string {
  const width = widthFor(inputs);
  return `  // ---- Row in: a byte per transfer; a row of the wrong length is dropped at its last byte.

  reg idle;
  reg [${width - 1}:0] in_index;
  wire accept = in_valid & idle;
  wire in_full = in_index == ${width}'d${inputs};
  wire row_ends = accept & in_last;
  wire row_good = row_ends & (in_index == ${width}'d${inputs - 1});
  wire finished;
  reg start;
  assign in_ready = idle;
  always @(posedge clk) begin
    if (rst) begin
      idle <= 1'b1;
      in_index <= ${width}'d0;
      start <= 1'b0;
    end else begin
      start <= row_good;
      if (row_good) idle <= 1'b0;
      else if (finished) idle <= 1'b1;
      if (row_ends) in_index <= ${width}'d0;
      else if (accept & ~in_full) in_index <= in_index + ${width}'d1;
    end
  end
`;
}

function emitRowOut({ outputs }: CoreLayout): string {
  const width = widthFor(outputs);
  return `  // ---- Row out: two bytes per result, the low one first.

  reg ended_1, ended_2, high;
  reg [15:0] word;
  wire sent = out_valid & out_ready;
  wire all_sent = result_index == ${width}'d${outputs};
  assign finished = sent & high & all_sent;
  assign out_data = high ? word[15:8] : word[7:0];
  assign out_last = high & all_sent;
  always @(posedge clk) begin
    ended_1 <= ends[11] & answers & ~rst;
    ended_2 <= ended_1 & ~rst;
    if (rst) out_valid <= 1'b0;
    else if (ended_2) out_valid <= 1'b1;
    else if (finished) out_valid <= 1'b0;

    if (idle) result_index <= ${width}'d0;
    else if (ended_2 | (sent & high & ~all_sent)) result_index <= result_index + ${width}'d1;
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
`;
}
