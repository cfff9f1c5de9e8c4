import type { BoardModel } from "../../schema";
import { crystalClock } from "../crystal-clock";
import type { ClockSource } from "../family";

/** Limits of the rPLL (Gowin UG286 and the parts' data sheets, speed C6/I5 and C8/I7). */
const detectorMinHz = 3e6;
const oscillatorHz = { min: 500e6, max: 1200e6 };
const outputDividers = [2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128];
const maxDivider = 64;

/** Dividers of an rPLL: out = in · feedback / reference; the oscillator runs `output` times faster. */
export interface PllSettings {
  readonly reference: number;
  readonly feedback: number;
  readonly output: number;
}

/** Settings that make a frequency exactly, or null. */
export function pllSettings(inHz: number, outHz: number): PllSettings | null {
  const output = outputDividers.find(
    (divider) => outHz * divider >= oscillatorHz.min && outHz * divider <= oscillatorHz.max,
  );
  if (output === undefined) return null;
  for (let reference = 1; reference <= maxDivider; reference++) {
    const feedback = (outHz * reference) / inHz;
    if (inHz / reference < detectorMinHz) break;
    if (Number.isInteger(feedback) && feedback >= 1 && feedback <= maxDivider) {
      return { reference, feedback, output };
    }
  }
  return null;
}

/** The board's crystal, a PLL on it, or, where the open tools know no PLL, half of it by a flip-flop. */
export function clockSource(board: BoardModel, clockHz: number): ClockSource | null {
  const { flow } = board.part;
  if (flow.kind !== "apicula") return null;
  return crystalClock(board, clockHz, ({ hz }) => {
    if (flow.pll === null) return clockHz * 2 === hz ? halfVerilog : null;
    const pll = pllSettings(hz, clockHz);
    return pll && pllVerilog(pll, hz, flow.pll);
  });
}

const halfVerilog = `\
  reg half = 1'b0;
  always @(posedge clock) half <= !half;
  wire clk = half;
  wire locked = 1'b1;
`;

function pllVerilog(pll: PllSettings, inHz: number, device: string): string {
  return `\
  wire clk, locked;
  rPLL #(
    .FCLKIN("${inHz / 1e6}"),
    .DEVICE("${device}"),
    .IDIV_SEL(${pll.reference - 1}),
    .FBDIV_SEL(${pll.feedback - 1}),
    .ODIV_SEL(${pll.output}),
    .DYN_IDIV_SEL("false"),
    .DYN_FBDIV_SEL("false"),
    .DYN_ODIV_SEL("false"),
    .DYN_SDIV_SEL(2),
    .PSDA_SEL("0000"),
    .DYN_DA_EN("false"),
    .DUTYDA_SEL("1000"),
    .CLKFB_SEL("internal"),
    .CLKOUT_BYPASS("false"),
    .CLKOUTP_BYPASS("false"),
    .CLKOUTD_BYPASS("false"),
    .CLKOUTD_SRC("CLKOUT"),
    .CLKOUTD3_SRC("CLKOUT")
  ) pll (
    .CLKIN(clock),
    .CLKOUT(clk),
    .LOCK(locked),
    .CLKOUTP(),
    .CLKOUTD(),
    .CLKOUTD3(),
    .CLKFB(1'b0),
    .RESET(1'b0),
    .RESET_P(1'b0),
    .FBDSEL(6'b0),
    .IDSEL(6'b0),
    .ODSEL(6'b0),
    .PSDA(4'b0),
    .DUTYDA(4'b0),
    .FDLY(4'b0)
  );
`;
}
