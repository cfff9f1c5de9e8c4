import { answersOut, onAnswersOut } from "./wrapper/answers-out";
import { coreAndIdentity } from "./wrapper/core";
import { ports } from "./wrapper/ports";
import { onRead, readChannel } from "./wrapper/reads";
import { control, onReset, onRestart } from "./wrapper/resets";
import { onRowsIn, rowsIn } from "./wrapper/rows-in";
import { onWrite, writeChannels } from "./wrapper/writes";

/**
 * `axi.v`: Verilog-2005 with the module `boardwalk_axi`, the same text for every core. AXI4-Lite registers and two
 * AXI4-Streams around `core`; it takes the module `identity` of `identityModules` too.
 *
 * Rows come by the stream `s_axis` and leave by `m_axis`, a byte a transfer; or, if `control.data` is set, by registers.
 * A reset by register ends an answer that was begun with one byte 0 marked as last, since what a stream offered must
 * stay; and drops the rest of a row that was begun, up to its last byte. Without such a rest, reset a second time.
 *
 * @see Arm IHI 0022 (AXI4-Lite) and IHI 0051 (AXI4-Stream)
 */
export function axiSource(): string {
  const declarations = [writeChannels, readChannel, control, rowsIn, answersOut];
  // In this order: of two assignments in one cycle the later one counts.
  const clocked = [onWrite, onRead, onRowsIn, onAnswersOut, onRestart, onReset];
  return `\
${ports}${declarations.join("")}${coreAndIdentity}  always @(posedge aclk) begin
${clocked.join("")}  end

  initial begin
    s_axi_bvalid = 1'b0;
    s_axi_rvalid = 1'b0;
  end
endmodule
`;
}
