import type { BoardModel } from "../../schema";
import type { ClockSource } from "../family";

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
export function clockSource(
  { clocks: [crystal] }: BoardModel,
  clockHz: number,
): ClockSource | null {
  if (!crystal) return null;
  const pair = crystal.pin.includes(",");
  const pad = pair ? "  wire clock;\n  IBUFDS pad (.I(clock_p), .IB(clock_n), .O(clock));\n" : "";
  if (clockHz === crystal.hz) {
    const verilog = pair
      ? "  wire clk;\n  BUFG spread (.I(clock), .O(clk));\n"
      : "  wire clk = clock;\n";
    return { fromPin: true, verilog: `${pad}${verilog}  wire locked = 1'b1;\n` };
  }
  const pll = pllSettings(crystal.hz, clockHz);
  return pll && { fromPin: true, verilog: pad + pllVerilog(pll, crystal.hz) };
}

function pllVerilog({ reference, multiplier, output }: PllSettings, inHz: number): string {
  return `\
  wire clk, made, feedback, locked;
  PLLE2_BASE #(
    .CLKIN1_PERIOD(${(1e9 / inHz).toFixed(3)}),
    .DIVCLK_DIVIDE(${reference}),
    .CLKFBOUT_MULT(${multiplier}),
    .CLKOUT0_DIVIDE(${output})
  ) pll (
    .CLKIN1(clock),
    .CLKFBIN(feedback),
    .CLKFBOUT(feedback),
    .CLKOUT0(made),
    .LOCKED(locked),
    .RST(1'b0),
    .PWRDWN(1'b0),
    .CLKOUT1(),
    .CLKOUT2(),
    .CLKOUT3(),
    .CLKOUT4(),
    .CLKOUT5()
  );
  BUFG spread (.I(made), .O(clk));
`;
}
