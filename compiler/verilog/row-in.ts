import { widthFor } from "../integer/range";

/**
 * Takes a row byte by byte. It makes `accept`, a byte passes; `in_index`, which one; `row_good`, the last byte of a whole
 * row; and waits for `finished` before the next one.
 *
 * @param start Whether a register `start` follows `row_good` by a cycle.
 */
export function emitRowIn(inputs: number, { start }: { readonly start: boolean }): string {
  const width = widthFor(inputs);
  const lines = (text: string) => (start ? text : "");
  return `\
  // ---- Row in: a byte per transfer; a row of the wrong length is dropped at its last byte.

  reg idle;
  reg [${width - 1}:0] in_index;
  wire accept = in_valid & idle;
  wire in_full = in_index == ${width}'d${inputs};
  wire row_ends = accept & in_last;
  wire row_good = row_ends & (in_index == ${width}'d${inputs - 1});
  wire finished;
${lines("  reg start;\n")}\
  assign in_ready = idle;

  always @(posedge clk) begin
    if (rst) begin
      idle <= 1'b1;
      in_index <= ${width}'d0;
${lines("      start <= 1'b0;\n")}\
    end else begin
${lines("      start <= row_good;\n")}\
      if (row_good) idle <= 1'b0;
      else if (finished) idle <= 1'b1;
      if (row_ends) in_index <= ${width}'d0;
      else if (accept & ~in_full) in_index <= in_index + ${width}'d1;
    end
  end
`;
}
