/** Settings of an iCE40 PLL in its simple feedback mode. */
export interface PllSettings {
  readonly divr: number;
  readonly divf: number;
  readonly divq: number;
  readonly filterRange: number;
  /** The clock these settings make. */
  readonly outHz: number;
}

/** Limits of the PLL: phase detector 10 to 133 MHz, oscillator 533 to 1066 MHz, output 16 to 275 MHz (FPGA-TN-02052). */
const phaseDetectorHz = { min: 10e6, max: 133e6 };
const oscillatorHz = { min: 533e6, max: 1066e6 };
const outputHz = { min: 16e6, max: 275e6 };
/** FILTER_RANGE by phase detector frequency: the first bound above it counts. */
const filterBoundsHz = [17e6, 26e6, 44e6, 66e6, 101e6];

/** The PLL settings that come nearest to `outHz`, or null when the PLL can make nothing there at all. */
export function pllSettings(inHz: number, outHz: number): PllSettings | null {
  if (outHz < outputHz.min || outHz > outputHz.max) return null;
  let best: PllSettings | null = null;
  for (let divr = 0; divr <= 15; divr++) {
    const detectorHz = inHz / (divr + 1);
    if (detectorHz < phaseDetectorHz.min || detectorHz > phaseDetectorHz.max) continue;
    for (let divf = 0; divf <= 127; divf++) {
      const vcoHz = detectorHz * (divf + 1);
      if (vcoHz < oscillatorHz.min || vcoHz > oscillatorHz.max) continue;
      for (let divq = 1; divq <= 6; divq++) {
        // One division, so that equal ratios make equal numbers and the first of them stays.
        const madeHz = (inHz * (divf + 1)) / ((divr + 1) * 2 ** divq);
        if (best !== null && Math.abs(madeHz - outHz) >= Math.abs(best.outHz - outHz)) continue;
        const bound = filterBoundsHz.findIndex((hz) => detectorHz < hz);
        const filterRange = (bound < 0 ? filterBoundsHz.length : bound) + 1;
        best = { divr, divf, divq, filterRange, outHz: madeHz };
      }
    }
  }
  return best;
}
