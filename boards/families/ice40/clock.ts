import type { BoardModel } from "../../schema";
import { crystalClock } from "../crystal-clock";
import type { ClockSource } from "../family";
import { type PllSettings, pllSettings } from "./pll";

/** Clock pins that lead straight into a PLL: there the PLL takes the pad's place. By part. */
const pllPads: Readonly<Record<string, readonly string[]>> = {
  "ice40up5k-sg48": ["35"],
  "ice40hx4k-tq144": ["49"],
};

/** The board's crystal, or a PLL on it. */
export function clockSource(board: BoardModel, clockHz: number): ClockSource | null {
  return crystalClock(board, clockHz, ({ hz, pin }) => {
    const pll = pllSettings(hz, clockHz);
    if (pll?.outHz !== clockHz) return null;
    return pllVerilog(pll, pllPads[board.part.id]?.includes(pin) ?? false);
  });
}

const bits = (value: number, width: number) =>
  `${width}'b${value.toString(2).padStart(width, "0")}`;

function pllVerilog({ divr, divf, divq, filterRange }: PllSettings, onPad: boolean): string {
  return `\
  wire clk, locked;
  ${onPad ? "SB_PLL40_PAD" : "SB_PLL40_CORE"} #(
    .FEEDBACK_PATH("SIMPLE"),
    .DIVR(${bits(divr, 4)}),
    .DIVF(${bits(divf, 7)}),
    .DIVQ(${bits(divq, 3)}),
    .FILTER_RANGE(${bits(filterRange, 3)})
  ) pll (
    .${onPad ? "PACKAGEPIN" : "REFERENCECLK"}(clock),
    .PLLOUTGLOBAL(clk),
    .LOCK(locked),
    .RESETB(1'b1),
    .BYPASS(1'b0)
  );
`;
}
