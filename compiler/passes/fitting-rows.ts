import { fail } from "@/lib/common/errors";
import type { CalibrationRows } from "./standardise";

/**
 * Rows to calibrate with, if they fit the model.
 *
 * @param size Values that a row of the model has.
 * @throws {AppError} `CARD_INVALID`
 */
export function fittingRows(rows: CalibrationRows, size: number): CalibrationRows {
  if (rows.width === size && rows.count > 0) return rows;
  throw fail(
    "CARD_INVALID",
    `The calibration rows (${rows.source}) have ${rows.width} values each, the model takes ${size}.`,
    { hint: "Give one column per input feature, and a last one for the label if there is one." },
  );
}
