import type { BoardModel } from "@/boards";
import type { Lowered, Precision } from "@/compiler";
import type { Report } from "@/lib/common/contract";

/** What a core takes of a part by the compiler's estimate; multipliers where both have any. */
export function expectedResources(
  estimate: { readonly lut: number; readonly bramBlocks: number; readonly dsp?: number },
  { resources: { lut, bramBlocks, dsp } }: BoardModel["part"],
): Report["resources"] {
  const multipliers = estimate.dsp;
  return [
    { id: "lut", name: "Logic cells", used: estimate.lut, available: lut },
    { id: "bram", name: "Block RAM", used: estimate.bramBlocks, available: bramBlocks },
    ...(multipliers !== undefined && dsp > 0
      ? [{ id: "dsp", name: "Multipliers", used: multipliers, available: dsp }]
      : []),
  ];
}

/** How numbers were chosen, for the report. */
export function precisionNotes(
  { inputBits, weightBits, activationBits }: Precision,
  { rangeSource, rowsSource, synthetic }: Lowered["standardisation"],
): string[] {
  return [
    `Inputs have ${inputBits} bits, weights ${weightBits.join(", ")}, hidden values ${activationBits}.`,
    `Inputs are scaled by ${rangeSource}.`,
    synthetic
      ? "Ranges come from synthetic input: give rows of your own to calibrate with for better accuracy."
      : `Ranges come from the rows of ${rowsSource}.`,
  ];
}
