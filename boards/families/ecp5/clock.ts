import type { BoardModel } from "../../schema";
import { crystalClock } from "../crystal-clock";
import type { ClockSource } from "../family";

/** Limits of the EHXPLLL (ECP5 family data sheet FPGA-DS-02012, PLL timing). */
const detectorHz = { min: 10e6, max: 400e6 };
const oscillatorHz = { min: 400e6, max: 800e6 };
const maxDivider = 128;

/** Dividers of an ECP5 PLL whose feedback comes from its output: out = in · feedback / reference. */
export interface PllSettings {
  readonly reference: number;
  readonly feedback: number;
  readonly output: number;
}

/** Settings that make a frequency exactly, or null. The oscillator runs in the middle of its range. */
export function pllSettings(inHz: number, outHz: number): PllSettings | null {
  for (let reference = 1; reference <= maxDivider; reference++) {
    const detector = inHz / reference;
    if (detector < detectorHz.min || detector > detectorHz.max) continue;
    const feedback = (outHz * reference) / inHz;
    if (!Number.isInteger(feedback) || feedback < 1 || feedback > maxDivider) continue;
    const output = Math.round((oscillatorHz.min + oscillatorHz.max) / 2 / outHz);
    const oscillator = outHz * output;
    if (output < 1 || output > maxDivider) continue;
    if (oscillator < oscillatorHz.min || oscillator > oscillatorHz.max) continue;
    return { reference, feedback, output };
  }
  return null;
}

/** The board's crystal, or a PLL on it. */
export function clockSource(board: BoardModel, clockHz: number): ClockSource | null {
  return crystalClock(board, clockHz, ({ hz }) => {
    const pll = pllSettings(hz, clockHz);
    return pll && pllVerilog(pll, hz, clockHz);
  });
}

function pllVerilog(pll: PllSettings, inHz: number, outHz: number): string {
  return `\
  wire clk, locked;
  (* FREQUENCY_PIN_CLKI = "${inHz / 1e6}", FREQUENCY_PIN_CLKOP = "${outHz / 1e6}" *)
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .PLLRST_ENA("DISABLED"),
    .INTFB_WAKE("DISABLED"),
    .STDBY_ENABLE("DISABLED"),
    .DPHASE_SOURCE("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA"),
    .CLKI_DIV(${pll.reference}),
    .CLKFB_DIV(${pll.feedback}),
    .CLKOP_ENABLE("ENABLED"),
    .CLKOP_DIV(${pll.output}),
    .CLKOP_CPHASE(${pll.output >> 1}),
    .CLKOP_FPHASE(0),
    .FEEDBK_PATH("CLKOP")
  ) pll (
    .CLKI(clock),
    .CLKFB(clk),
    .CLKOP(clk),
    .LOCK(locked),
    .RST(1'b0),
    .STDBY(1'b0),
    .PHASESEL0(1'b0),
    .PHASESEL1(1'b0),
    .PHASEDIR(1'b1),
    .PHASESTEP(1'b1),
    .PHASELOADREG(1'b1),
    .PLLWAKESYNC(1'b0),
    .ENCLKOP(1'b0)
  );
`;
}
