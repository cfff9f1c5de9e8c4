import {
  type ColumnDef,
  columnVisibilityFeature,
  type RowData,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";

/** How a column stands in a row, and in the card that a row becomes on a phone. */
interface ColumnFace {
  /** What the column is called in its head, in its card and where columns are chosen. */
  readonly label: string;
  /** `title` and `state` are the first line of a card, `line` a line of its own with the label before it. */
  readonly place: "title" | "state" | "line";
  /** The narrowest screen whose table has room for it; cards always have. */
  readonly from?: "desk";
  readonly numeric?: boolean;
  /** Shown only by whoever chooses it. */
  readonly spare?: boolean;
}

/** What lists use of the table: their rows come sorted and filtered from the server. */
export const listFeatures = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  columnMeta: {} as ColumnFace,
});

/** A column of a list of `Row`. */
export type ListColumn<Row extends RowData> = ColumnDef<typeof listFeatures, Row> & {
  readonly id: string;
  readonly meta: ColumnFace;
};
