import type { Cell } from "@/lib/common/rows";

/** One figure of each point of a picture: how the table shows it, and what the file holds. */
export interface PictureColumn<Row> {
  /** Heads the column of the CSV file; with its unit, as the API names it. */
  readonly id: string;
  /** Heads the column of the table. */
  readonly label: string;
  /** As it is stored, not rounded. */
  value(row: Row): Cell;
  /** As people read it; without, as it is stored. */
  show?(row: Row): string;
}

/** What stands in a cell of the table; a dash where nothing is known. */
export function shownIn<Row>({ value, show }: PictureColumn<Row>, row: Row): string {
  if (show) return show(row);
  const cell = value(row);
  return cell === null || cell === "" ? "–" : String(cell);
}

/** All figures of a point as words: `From 0.5 ns, Ends 12`. */
export const wordsOf = <Row>(columns: readonly PictureColumn<Row>[], row: Row): string =>
  columns.map((column) => `${column.label} ${shownIn(column, row)}`).join(", ");
