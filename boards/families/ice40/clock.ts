import { bitsOf, type Contents } from "../../contents";
import type { BoardModel } from "../../schema";
import { crystalClock } from "../crystal-clock";
import { type PllSettings, pllSettings } from "./pll";

/**
 * Clock pins that lead straight into a PLL, and where that PLL lies: there it takes the pad's place. By part.
 * Source: Project IceStorm, `pllinfo_db` and `pinloc_db`.
 */
const pllPads: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "ice40up5k-sg48": { "35": "12_31" },
  "ice40hx4k-tq144": { "49": "16_0" },
};

/** The board's crystal, or a PLL on it. */
export function clockSource(board: BoardModel, clockHz: number): Contents | null {
  return crystalClock(board, clockHz, ({ hz, pin }) => {
    const pll = pllSettings(hz, clockHz);
    if (pll?.outHz !== clockHz) return null;
    return pllContents(pll, pllPads[board.part.id]?.[pin] !== undefined);
  });
}

/** Where the PLL lies that stands in for the clock's pad; null where the clock comes through a pad of its own. */
export function pllOnPad({ part, clocks: [crystal] }: BoardModel, clockHz: number): string | null {
  if (!crystal || clockHz === crystal.hz) return null;
  return pllPads[part.id]?.[crystal.pin] ?? null;
}

const bits = (value: number, width: number) => ({
  bits: bitsOf(value, width).reverse().join(""),
});

function pllContents({ divr, divf, divq, filterRange }: PllSettings, onPad: boolean): Contents {
  const pll = {
    name: "pll",
    type: onPad ? "SB_PLL40_PAD" : "SB_PLL40_CORE",
    parameters: {
      FEEDBACK_PATH: "SIMPLE",
      DIVR: bits(divr, 4),
      DIVF: bits(divf, 7),
      DIVQ: bits(divq, 3),
      FILTER_RANGE: bits(filterRange, 3),
    },
    inputs: { [onPad ? "PACKAGEPIN" : "REFERENCECLK"]: "clock", RESETB: "1", BYPASS: "0" },
    outputs: { PLLOUTGLOBAL: "clk", LOCK: "locked" },
  };
  return { cells: [pll], wires: {} };
}
