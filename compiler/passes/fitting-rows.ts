import { fail } from "@/lib/common/errors";
import type { CalibrationRows } from "./standardise";

/**
 * Rows to calibrate with, if they fit the model.
 *
 * @throws {AppError} `CARD_INVALID`
 */
export function fittingRows(rows: CalibrationRows, inputShape: readonly number[]): CalibrationRows {
  const size = inputShape.slice(1).reduce((product, dimension) => product * dimension, 1);
  if (rows.width === size && rows.count > 0) return rows;
  throw fail(
    "CARD_INVALID",
    `The calibration rows (${rows.source}) have ${rows.width} values each, the model takes ${size}.`,
    { hint: "Give one column per input feature, and a last one for the label if there is one." },
  );
}
