import { widthFor } from "../../integer/range";
import { emitRowOut } from "../../verilog/row-out";

/**
 * The results as bytes, two each, and the count of cycles.
 *
 * @param wait Cycles between the first value and the first byte, besides those of the registers: no value is late then.
 */
export function emitAnswer(outputs: number, wait: number): string {
  const waitWidth = widthFor(wait);
  const lines =
    wait === 0
      ? "    begin_1 <= first & ~rst;"
      : `    if (rst) waiting <= ${waitWidth}'d0;
    else if (first) waiting <= ${waitWidth}'d${wait};
    else if (waiting != ${waitWidth}'d0) waiting <= waiting - ${waitWidth}'d1;
    begin_1 <= (waiting == ${waitWidth}'d1) & ~rst;`;
  const declare = `\
  wire first = element[8] & opens[8] & answers[8];
${wait === 0 ? "" : `  reg [${waitWidth - 1}:0] waiting;\n`}`;
  return `
  // ---- Row out: two bytes per result, the low one first, while the last results may still be on their way.

${emitRowOut(outputs, { declare, lines })}endmodule
`;
}
