import { writeCsvRecord } from "@/lib/common/rows";
import type { PictureColumn } from "./columns";

/** The points of a picture as a CSV file: what its table shows, as it is stored. */
export function pictureCsv<Row>(
  columns: readonly PictureColumn<Row>[],
  rows: readonly Row[],
): string {
  return [columns.map(({ id }) => id), ...rows.map((row) => columns.map(({ value }) => value(row)))]
    .map(writeCsvRecord)
    .join("");
}
