import { type Calibration, isRangeAssumed } from "@/lib/common/contract";
import type { Precision } from "./precision";
import type { Standardisation } from "./standardise";

/** Which rows ranges come from, for the report. */
export const calibrationOf = ({
  rangeSource,
  rowsSource,
  rows,
  synthetic,
}: Standardisation): Calibration => ({
  rows: rows.length,
  source: rowsSource,
  synthetic,
  scaledBy: rangeSource,
});

/** How bits and ranges were chosen, for the report. */
export function precisionNotes(
  { inputBits, weightBits, activationBits }: Precision,
  { rangeSource, rowsSource, synthetic }: Standardisation,
): string[] {
  return [
    `Inputs have ${inputBits} bits, weights ${weightBits.join(", ")}, hidden values ${activationBits}.`,
    isRangeAssumed({ scaledBy: rangeSource })
      ? `The range of the inputs is ${rangeSource}.`
      : `Inputs are scaled by ${rangeSource}.`,
    synthetic
      ? "Ranges come from synthetic input: give rows of your own to calibrate with for better accuracy."
      : `Ranges come from the rows of ${rowsSource}.`,
  ];
}
