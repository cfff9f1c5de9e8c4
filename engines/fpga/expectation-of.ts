import { buildSeconds } from "@/compiler/forecast";
import type { Expectation } from "@/lib/common/contract";

/** What an engine's own estimate says of a design. */
export interface EstimatedDesign {
  readonly lut: number;
  readonly ff: number;
  readonly bramBlocks: number;
  readonly dsp: number;
  readonly latencyCycles: number;
}

/** What the build is held against when it has ended, so that the next forecast of such a design learns from it. */
export const expectationOf = (
  { lut, ff, bramBlocks, dsp, latencyCycles }: EstimatedDesign,
  design: Pick<Expectation, "family" | "architecture" | "clockHz">,
): Expectation => ({
  ...design,
  figures: {
    lut,
    ff,
    bram: bramBlocks,
    dsp,
    cycles: latencyCycles,
    seconds: buildSeconds(lut),
  },
});
