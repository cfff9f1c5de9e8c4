import type { IntegerGraph } from "../../integer/integer-graph";
import { widthFor, widthOf } from "../../integer/range";
import { corePorts } from "../../verilog/core-ports";
import type { Adder, Operand } from "./adders";
import { emitComparisons } from "./emit-comparisons";
import { emitTree } from "./emit-tree";
import type { TreeLayout } from "./layout";

/**
 * Prints the module `core` of a tree ensemble: every comparison once, all trees side by side, one adder tree for each
 * score. Deterministic: equal graphs give equal text. The page `docs/compiler.md` explains the structure.
 */
export function emitTreeCore(graph: IntegerGraph, layout: TreeLayout): string {
  const { trees, sum, sums, latencyCycles } = layout;
  const inputs = graph.input.size;
  const last = inputs - 1;
  const bytes = (sum.width / 8) * sums.length;
  const countWidth = widthFor(latencyCycles);
  const outWidth = widthFor(bytes - 1);
  const flags = latencyCycles - 1;
  return `// ${trees.trees.length} trees side by side, ${layout.comparisons.length} comparisons. See docs/compiler.md.

${corePorts("wire")}
  // ---- Row in: one flag walks along the bytes; a row of the wrong length is dropped at its last byte.

  reg idle;
  reg [${inputs}:0] at;
  wire accept = in_valid & idle;
  wire row_ends = accept & in_last;
  wire row_good = row_ends & at[${last}];
  wire finished;
  assign in_ready = idle;
  always @(posedge clk) begin
    if (rst | finished) idle <= 1'b1;
    else if (row_good) idle <= 1'b0;
    if (rst | finished | (row_ends & ~at[${last}])) at <= ${inputs + 1}'d1;
    else if (accept) at <= {at[${last}:0], 1'b0};
  end

${emitComparisons(layout)}
  // ---- Trees: the number of the leaf that a row ends in, then what that leaf adds.

${trees.trees.map((_, index) => emitTree(index, layout)).join("\n")}
  // ---- Sums: two by two, a register after each addition.

${sums.map(({ levels }) => levels.flat().map(emitAdder).join("")).join("\n")}
  // ---- Row out: the scores, low bytes first, as soon as the row has passed all registers.

  reg [${flags - 1}:0] passing;
  reg [${outWidth - 1}:0] out_index;
  reg [7:0] out_byte;
${sums.map(({ result }, score) => emitScore(result, score, sum.width)).join("\n")}
  wire sent = out_valid & out_ready;
  assign out_data = out_byte;
  assign out_last = out_index == ${outWidth}'d${bytes - 1};
  assign finished = sent & out_last;
  always @* begin
    case (out_index)
${sums.flatMap((_, score) => emitBytes(score, sum.width, outWidth)).join("\n")}
      default: out_byte = score_0[7:0];
    endcase
  end
  always @(posedge clk) begin
    passing <= rst ? ${flags}'d0 : {passing[${flags - 2}:0], row_good};
    if (rst | finished) out_valid <= 1'b0;
    else if (passing[${flags - 1}]) out_valid <= 1'b1;
    if (~out_valid) out_index <= ${outWidth}'d0;
    else if (sent) out_index <= out_index + ${outWidth}'d1;
  end

  // ---- Cycles from the last input byte to the first result byte.

  reg [${countWidth - 1}:0] count;
  assign cycles = {${32 - countWidth}'d0, count};
  always @(posedge clk) begin
    if (rst) count <= ${countWidth}'d0;
    else if (row_good) count <= ${countWidth}'d1;
    else if (|passing) count <= count + ${countWidth}'d1;
  end
endmodule
`;
}

function emitAdder({ text, left, right, min, max }: Adder): string {
  const isSigned = min < 0;
  const term = (operand: Operand): string =>
    isSigned && operand.min >= 0 ? `$signed({1'b0, ${operand.text}})` : operand.text;
  const sum = right ? `${term(left)} + ${term(right)}` : term(left);
  return `  reg ${isSigned ? "signed " : ""}[${widthOf({ min, max }) - 1}:0] ${text};
  always @(posedge clk) ${text} <= ${sum};
`;
}

function emitScore({ text }: Operand, score: number, width: number): string {
  return `  wire signed [${width - 1}:0] score_${score} = ${text};`;
}

function emitBytes(score: number, width: number, outWidth: number): string[] {
  const bytes = width / 8;
  return Array.from(
    { length: bytes },
    (_, byte) =>
      `      ${outWidth}'d${score * bytes + byte}: out_byte = score_${score}[${8 * byte + 7}:${8 * byte}];`,
  );
}
