import type { Cell, Contents } from "../../contents";
import type { BoardModel } from "../../schema";

/** Limits of the PLLE2 at the slowest speed grade (AMD DS181 and DS182, PLL switching characteristics). */
const inputHz = { min: 19e6, max: 800e6 };
const detectorHz = { min: 19e6, max: 450e6 };
const oscillatorHz = { min: 800e6, max: 1600e6 };
const maxMultiplier = 64;
const maxOutputDivider = 128;
const maxReference = 56;

/** out = in · multiplier / reference / output. */
export interface PllSettings {
  readonly reference: number;
  readonly multiplier: number;
  readonly output: number;
}

/** Settings that make a frequency exactly, the oscillator as fast as it may be; or null. */
export function pllSettings(inHz: number, outHz: number): PllSettings | null {
  if (inHz < inputHz.min || inHz > inputHz.max) return null;
  for (let reference = 1; reference <= maxReference; reference++) {
    const detector = inHz / reference;
    if (detector < detectorHz.min || detector > detectorHz.max) continue;
    for (let multiplier = maxMultiplier; multiplier >= 2; multiplier--) {
      const oscillator = detector * multiplier;
      if (oscillator < oscillatorHz.min || oscillator > oscillatorHz.max) continue;
      const output = oscillator / outHz;
      if (Number.isInteger(output) && output <= maxOutputDivider)
        return { reference, multiplier, output };
    }
  }
  return null;
}

/** The board's crystal through its buffer, or a PLL on it. */
export function clockSource({ clocks: [crystal] }: BoardModel, clockHz: number): Contents | null {
  if (!crystal) return null;
  const pair = crystal.pin.includes(",");
  const from = pair ? "crystal" : "clock";
  const pads: Cell[] = pair
    ? [cell("pad", "IBUFDS", { I: "clock_p", IB: "clock_n" }, { O: "crystal" })]
    : [];
  if (clockHz === crystal.hz) {
    if (!pair) return { cells: [], wires: { clk: "clock", locked: "1" } };
    return { cells: [...pads, spread(from)], wires: { locked: "1" } };
  }
  const pll = pllSettings(crystal.hz, clockHz);
  return pll && { cells: [...pads, pllCell(pll, crystal.hz, from), spread("made")], wires: {} };
}

const cell = (name: string, type: string, inputs: Cell["inputs"], outputs: Cell["outputs"]) => ({
  name,
  type,
  inputs,
  outputs,
});

const spread = (net: string) => cell("spread", "BUFG", { I: net }, { O: "clk" });

const pllCell = (
  { reference, multiplier, output }: PllSettings,
  inHz: number,
  from: string,
): Cell => ({
  ...cell(
    "pll",
    "PLLE2_BASE",
    { CLKIN1: from, CLKFBIN: "feedback", RST: "0", PWRDWN: "0" },
    { CLKFBOUT: "feedback", CLKOUT0: "made", LOCKED: "locked" },
  ),
  parameters: {
    CLKIN1_PERIOD: { decimal: (1e9 / inHz).toFixed(3) },
    DIVCLK_DIVIDE: reference,
    CLKFBOUT_MULT: multiplier,
    CLKOUT0_DIVIDE: output,
  },
});
