import { cobsSenderSource } from "./verilog/cobs-sender";
import { crcSource } from "./verilog/crc";
import { frameReceiverSource } from "./verilog/frame-receiver";
import { shellModuleSource } from "./verilog/shell";
import { uartSource } from "./verilog/uart";

/**
 * The shell for serial links: Verilog-2005 with the module `shell #(DIVIDER_BITS, IDLE_BITS)(clk, rst, rx, tx)`, the same
 * text for every core and clock. It instantiates `core`, the modules of `identityModules` and `baud_divider`.
 */
export function shellSource(): string {
  return [uartSource, crcSource, frameReceiverSource, cobsSenderSource, shellModuleSource].join(
    "\n",
  );
}
