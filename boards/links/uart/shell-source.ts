import { cobsSenderSource } from "./verilog/cobs-sender";
import { crcSource } from "./verilog/crc";
import { frameReceiverSource } from "./verilog/frame-receiver";
import { shellModuleSource } from "./verilog/shell";
import { uartSource } from "./verilog/uart";

/**
 * The shell for serial links: Verilog-2005 with the module `shell #(CLOCK_HZ, BAUD)(clk, rst, rx, tx)`,
 * the same text for every core. It instantiates `core` and the modules of `renderIdentity`.
 */
export function shellSource(): string {
  return [uartSource, crcSource, frameReceiverSource, cobsSenderSource, shellModuleSource].join(
    "\n",
  );
}
