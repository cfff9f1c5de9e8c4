import { widthFor } from "../range";

/**
 * The results as bytes, two each, and the count of cycles.
 *
 * @param wait Cycles between the first value and the first byte, besides those of the registers: no value is late then.
 */
export function emitAnswer(outputs: number, wait: number): string {
  const resultWidth = widthFor(outputs);
  const waitWidth = widthFor(wait);
  const begin =
    wait === 0
      ? "    begin_1 <= first & ~rst;"
      : `    if (rst) waiting <= ${waitWidth}'d0;
    else if (first) waiting <= ${waitWidth}'d${wait};
    else if (waiting != ${waitWidth}'d0) waiting <= waiting - ${waitWidth}'d1;
    begin_1 <= (waiting == ${waitWidth}'d1) & ~rst;`;
  return `
  // ---- Row out: two bytes per result, the low one first, while the last results may still be on their way.

  wire first = element[8] & opens[8] & answers[8];
${wait === 0 ? "" : `  reg [${waitWidth - 1}:0] waiting;\n`}\
  reg begin_1, begin_2, high;
  reg [15:0] word;
  wire sent = out_valid & out_ready;
  wire all_sent = result_index == ${resultWidth}'d${outputs};
  assign finished = sent & high & all_sent;
  assign out_data = high ? word[15:8] : word[7:0];
  assign out_last = high & all_sent;
  always @(posedge clk) begin
${begin}
    begin_2 <= begin_1 & ~rst;
    if (rst) out_valid <= 1'b0;
    else if (begin_2) out_valid <= 1'b1;
    else if (finished) out_valid <= 1'b0;

    if (idle) result_index <= ${resultWidth}'d0;
    else if (begin_2 | (sent & high & ~all_sent)) result_index <= result_index + ${resultWidth}'d1;
    if (begin_2 | (sent & high)) word <= result;
    if (begin_2) high <= 1'b0;
    else if (sent) high <= ~high;
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
endmodule
`;
}
