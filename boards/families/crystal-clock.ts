import type { BoardModel } from "../schema";
import type { ClockSource } from "./family";

/**
 * A clock from the board's crystal: as it is, or by what is made of it.
 *
 * @param make Verilog that declares `clk` and `locked` for another rate; null where the rate cannot be made exactly.
 */
export function crystalClock(
  { clocks: [crystal] }: BoardModel,
  clockHz: number,
  make: (crystal: BoardModel["clocks"][number]) => string | null,
): ClockSource | null {
  if (!crystal) return null;
  const verilog = clockHz === crystal.hz ? plain : make(crystal);
  return verilog === null ? null : { fromPin: true, verilog };
}

const plain = "  wire clk = clock;\n  wire locked = 1'b1;\n";
