import type { Contents } from "../contents";
import type { BoardModel } from "../schema";

/**
 * A clock from the board's crystal: as it is, or by what is made of it.
 *
 * @param make What drives `clk` and `locked` at another rate; null where the rate cannot be made exactly.
 */
export function crystalClock(
  { clocks: [crystal] }: BoardModel,
  clockHz: number,
  make: (crystal: BoardModel["clocks"][number]) => Contents | null,
): Contents | null {
  if (!crystal) return null;
  return clockHz === crystal.hz ? plain : make(crystal);
}

const plain: Contents = { cells: [], wires: { clk: "clock", locked: "1" } };
