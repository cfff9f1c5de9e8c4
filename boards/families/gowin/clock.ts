import { bitsOf, type Contents } from "../../contents";
import type { BoardModel } from "../../schema";
import { crystalClock } from "../crystal-clock";

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
export function clockSource(board: BoardModel, clockHz: number): Contents | null {
  const { flow } = board.part;
  if (flow.kind !== "apicula") return null;
  return crystalClock(board, clockHz, ({ hz }) => {
    if (flow.pll === null) return clockHz * 2 === hz ? half : null;
    const pll = pllSettings(hz, clockHz);
    return pll && pllContents(pll, hz, flow.pll);
  });
}

const half: Contents = {
  cells: [
    {
      name: "inverter",
      type: "LUT1",
      parameters: { INIT: { bits: "01" } },
      inputs: { I0: "clk" },
      outputs: { F: "next" },
    },
    {
      name: "half",
      type: "DFF",
      parameters: { INIT: { bits: "0" } },
      inputs: { CLK: "clock", D: "next" },
      outputs: { Q: "clk" },
    },
  ],
  wires: { locked: "1" },
};

function pllContents(settings: PllSettings, inHz: number, device: string): Contents {
  const widths = {
    CLKFB: 1,
    RESET: 1,
    RESET_P: 1,
    FBDSEL: 6,
    IDSEL: 6,
    ODSEL: 6,
    PSDA: 4,
    DUTYDA: 4,
    FDLY: 4,
  };
  const pll = {
    name: "pll",
    type: "rPLL",
    parameters: {
      FCLKIN: String(inHz / 1e6),
      DEVICE: device,
      IDIV_SEL: settings.reference - 1,
      FBDIV_SEL: settings.feedback - 1,
      ODIV_SEL: settings.output,
      DYN_IDIV_SEL: "false",
      DYN_FBDIV_SEL: "false",
      DYN_ODIV_SEL: "false",
      DYN_SDIV_SEL: 2,
      PSDA_SEL: "0000",
      DYN_DA_EN: "false",
      DUTYDA_SEL: "1000",
      CLKFB_SEL: "internal",
      CLKOUT_BYPASS: "false",
      CLKOUTP_BYPASS: "false",
      CLKOUTD_BYPASS: "false",
      CLKOUTD_SRC: "CLKOUT",
      CLKOUTD3_SRC: "CLKOUT",
    },
    inputs: {
      CLKIN: "clock",
      ...Object.fromEntries(
        Object.entries(widths).map(([port, width]) => [port, bitsOf(0, width)]),
      ),
    },
    outputs: {
      CLKOUT: "clk",
      LOCK: "locked",
      CLKOUTP: "shifted",
      CLKOUTD: "divided",
      CLKOUTD3: "third",
    },
  };
  return { cells: [pll], wires: {} };
}
