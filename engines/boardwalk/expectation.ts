import { buildSeconds } from "@/compiler/forecast";
import type { Expectation } from "@/lib/common/contract";
import type { Compiled } from "./compiled";

/**
 * What is expected of a build, for its report to be held against: the estimate of its core, which is what the form shows
 * of it.
 */
export function expectationOf(
  { resources, latencyCycles, architecture }: Compiled,
  { family, clockHz }: { readonly family: string; readonly clockHz: number },
): Expectation {
  const { lut, flipFlops, bramBlocks, dsp } = resources;
  return {
    family,
    architecture,
    clockHz,
    figures: {
      lut,
      ff: flipFlops,
      bram: bramBlocks,
      dsp,
      cycles: latencyCycles,
      seconds: buildSeconds(lut),
    },
  };
}
