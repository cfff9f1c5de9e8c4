import type { FamilyCosts } from "@/boards";
import type { IntegerGraph } from "../../integer/integer-graph";
import { bitLength } from "../../integer/range";
import { corePorts } from "../../verilog/core-ports";
import { emitRowIn } from "../../verilog/row-in";
import { biasedCells } from "./emit-biased";
import { emitNetwork } from "./emit-network";
import { emitTables, type TableStyle } from "./emit-tables";
import type { Network } from "./network";
import type { Pipeline } from "./pipeline";

/** Cycles from the one in which the last input byte passed to the one in which the first result byte is valid. */
export const latencyOf = ({ outputCycle }: Pipeline): number => outputCycle + 2;

/**
 * Prints the module `core` around `network`, with the ports of every core: bytes of a row come in and are held, two bytes
 * for each result go out, or four. Deterministic: equal networks give equal text.
 */
export function emitCore(
  graph: IntegerGraph,
  network: Network,
  pipeline: Pipeline,
  { costs, tables }: { readonly costs: FamilyCosts; readonly tables: TableStyle },
): string {
  const inputs = graph.input.size;
  const outputs = graph.output.size;
  const wait = pipeline.outputCycle;
  const waitWidth = bitLength(wait);
  const { width } = graph.output;
  const bytesPerOutput = width / 8;
  const bytes = bytesPerOutput * outputs;
  const byteWidth = bitLength(bytes - 1);
  const each = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index));

  return `// Every weight of the layers is made of adders; a row takes ${latencyOf(pipeline)} cycles. See docs/compiler.md.

${emitTables(graph, tables)}
${biasedCells(network)}${emitNetwork(graph, network, pipeline, costs)}
${corePorts("reg")}
${emitRowIn(inputs, { start: false })}
  // ---- The row moves down to its places and stays there until its answer has left.

${each(inputs, (index) => `  reg [7:0] row_${index};`).join("\n")}
  always @(posedge clk) if (accept) begin
${each(inputs, (index) => `    row_${index} <= ${index === inputs - 1 ? "in_data" : `row_${index + 1}`};`).join("\n")}
  end

${each(outputs, (index) => `  wire [${width - 1}:0] answer_${index};`).join("\n")}
  network net (
    .clk(clk),
${[...each(inputs, (index) => `    .x${index}(row_${index})`), ...each(outputs, (index) => `    .y${index}(answer_${index})`)].join(",\n")}
  );

  // ---- The answer stands a fixed number of cycles after the row.

  reg waiting;
  reg [${waitWidth - 1}:0] wait_cycles;
  wire answered = waiting & (wait_cycles == ${waitWidth}'d0);
  always @(posedge clk) begin
    if (rst) waiting <= 1'b0;
    else if (row_good) waiting <= 1'b1;
    else if (answered) waiting <= 1'b0;
    wait_cycles <= waiting ? wait_cycles - ${waitWidth}'d1 : ${waitWidth}'d${wait};
  end

  // ---- Row out: ${bytesPerOutput} bytes per result, the low one first.

  reg [${byteWidth - 1}:0] out_index;
${each(outputs, (index) => `  reg [${width - 1}:0] result_${index};`).join("\n")}
  wire sent = out_valid & out_ready;
  assign finished = sent & out_last;
  assign out_data = result_0[7:0];
  assign out_last = out_index == ${byteWidth}'d${bytes - 1};
  always @(posedge clk) begin
    if (rst) out_valid <= 1'b0;
    else if (answered) out_valid <= 1'b1;
    else if (finished) out_valid <= 1'b0;
    if (answered) out_index <= ${byteWidth}'d0;
    else if (sent) out_index <= out_index + ${byteWidth}'d1;
${each(outputs, (index) => `    if (answered) result_${index} <= answer_${index};\n    else if (sent) result_${index} <= {${index === outputs - 1 ? "8'd0" : `result_${index + 1}[7:0]`}, result_${index}[${width - 1}:8]};`).join("\n")}
  end

  // ---- Cycles from the last input byte to the first result byte.

  always @(posedge clk) begin
    if (rst) cycles <= 32'd0;
    else if (row_good) cycles <= 32'd1;
    else if (waiting) cycles <= cycles + 32'd1;
  end
endmodule
`;
}
