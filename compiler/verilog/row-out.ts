import { widthFor } from "../integer/range";

/** When an answer begins, as Verilog. */
export interface RowBegin {
  /** Declarations besides those of the row. */
  readonly declare: string;
  /** Lines that set `begin_1` at a clock's edge: the first result can be read two cycles later. */
  readonly lines: string;
  /** Bytes of each result; left out: 2. */
  readonly bytes?: 2 | 4;
}

/**
 * Gives results as bytes, the low one first: `result`, which `result_index` chose the cycle before. It drives
 * `finished` with the last byte, and counts the cycles since `row_good`.
 */
export function emitRowOut(outputs: number, { declare, lines, bytes = 2 }: RowBegin): string {
  const width = widthFor(outputs);
  const isShort = bytes === 2;
  const atHigh = isShort ? "high" : "(&part)";
  return `\
${declare}\
  reg begin_1, begin_2${isShort ? ", high" : ""};
${isShort ? "" : "  reg [1:0] part;\n"}\
  reg [${8 * bytes - 1}:0] word;
  wire sent = out_valid & out_ready;
  wire all_sent = result_index == ${width}'d${outputs};
  assign finished = sent & ${atHigh} & all_sent;
  assign out_data = ${isShort ? "high ? word[15:8] : word[7:0]" : "word[7:0]"};
  assign out_last = ${atHigh} & all_sent;
  always @(posedge clk) begin
${lines}
    begin_2 <= begin_1 & ~rst;
    if (rst) out_valid <= 1'b0;
    else if (begin_2) out_valid <= 1'b1;
    else if (finished) out_valid <= 1'b0;

    if (idle) result_index <= ${width}'d0;
    else if (begin_2 | (sent & ${atHigh} & ~all_sent)) result_index <= result_index + ${width}'d1;
    if (begin_2 | (sent & ${atHigh})) word <= result;
${isShort ? "    if (begin_2) high <= 1'b0;\n    else if (sent) high <= ~high;" : "    else if (sent) word <= word >> 8;\n    if (begin_2) part <= 2'd0;\n    else if (sent) part <= part + 2'd1;"}
  end

  // ---- Cycles from the last input byte to the first result byte.

  reg counting;
  always @(posedge clk) begin
    if (rst | begin_2) counting <= 1'b0;
    else if (row_good) counting <= 1'b1;
    if (rst) cycles <= 32'd0;
    else if (row_good) cycles <= 32'd1;
    else if (counting) cycles <= cycles + 32'd1;
  end
`;
}
