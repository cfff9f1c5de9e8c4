import type { Contents } from "../../contents";
import type { BoardModel } from "../../schema";
import { crystalClock } from "../crystal-clock";

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
export function clockSource(board: BoardModel, clockHz: number): Contents | null {
  return crystalClock(board, clockHz, ({ hz }) => {
    const pll = pllSettings(hz, clockHz);
    return pll && pllContents(pll, hz, clockHz);
  });
}

function pllContents(settings: PllSettings, inHz: number, outHz: number): Contents {
  const off = ["RST", "STDBY", "PHASESEL0", "PHASESEL1", "PLLWAKESYNC", "ENCLKOP"];
  const on = ["PHASEDIR", "PHASESTEP", "PHASELOADREG"];
  const pll = {
    name: "pll",
    type: "EHXPLLL",
    attributes: {
      FREQUENCY_PIN_CLKI: String(inHz / 1e6),
      FREQUENCY_PIN_CLKOP: String(outHz / 1e6),
      ICP_CURRENT: "12",
      LPF_RESISTOR: "8",
      MFG_ENABLE_FILTEROPAMP: "1",
      MFG_GMCREF_SEL: "2",
    },
    parameters: {
      PLLRST_ENA: "DISABLED",
      INTFB_WAKE: "DISABLED",
      STDBY_ENABLE: "DISABLED",
      DPHASE_SOURCE: "DISABLED",
      OUTDIVIDER_MUXA: "DIVA",
      CLKI_DIV: settings.reference,
      CLKFB_DIV: settings.feedback,
      CLKOP_ENABLE: "ENABLED",
      CLKOP_DIV: settings.output,
      CLKOP_CPHASE: settings.output >> 1,
      CLKOP_FPHASE: 0,
      FEEDBK_PATH: "CLKOP",
    },
    inputs: {
      CLKI: "clock",
      CLKFB: "clk",
      ...Object.fromEntries(off.map((port) => [port, "0"])),
      ...Object.fromEntries(on.map((port) => [port, "1"])),
    },
    outputs: { CLKOP: "clk", LOCK: "locked" },
  };
  return { cells: [pll], wires: {} };
}
