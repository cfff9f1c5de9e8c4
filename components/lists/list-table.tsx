"use client";

import {
  type Header,
  type Row,
  type RowData,
  type SortingState,
  type Updater,
  useTable,
} from "@tanstack/react-table";
import { useTranslations } from "next-intl";
import { type ListColumn, listFeatures } from "./columns";
import type { ListMemory } from "./list-memory";
import type { Selection } from "./selection";
import { walk } from "./walk";

export interface ListTableProps<Item extends RowData> {
  /** What the table is a list of, for those who do not see it. */
  readonly caption: string;
  readonly columns: readonly ListColumn<Item>[];
  readonly rows: readonly Item[];
  readonly idOf: (row: Item) => string;
  /** A row in a few words, for the box that marks it. */
  readonly nameOf: (row: Item) => string;
  /** `name`, or `-name` falling. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly memory: ListMemory;
  readonly selection: Selection<Item>;
}

type Features = typeof listFeatures;

// A style that makes cards of rows takes their roles from a table and its parts in some browsers: they are said again.
const roles = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  head: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

/** Which columns are shown: as they are at first, unless somebody chose otherwise. */
export function shownColumns<Item extends RowData>(
  columns: readonly ListColumn<Item>[],
  { columns: chosen }: ListMemory,
): Record<string, boolean> {
  return Object.fromEntries(columns.map(({ id, meta }) => [id, chosen[id] ?? !meta.spare]));
}

const toSorting = (sort: string): SortingState => [
  { id: sort.replace(/^-/, ""), desc: sort.startsWith("-") },
];

/** A table whose rows are cards on a phone. Arrows go from row to row, Enter opens one, Space marks it. */
export function ListTable<Item extends RowData>(props: ListTableProps<Item>) {
  const { caption, columns, rows, idOf, sort, onSort, memory, selection } = props;
  const sorting = toSorting(sort);
  const table = useTable<Features, Item>({
    features: listFeatures,
    columns: [...columns],
    data: [...rows],
    getRowId: idOf,
    manualSorting: true,
    enableSortingRemoval: false,
    state: { sorting, columnVisibility: shownColumns(columns, memory) },
    onSortingChange: (updater: Updater<SortingState>) => {
      const [first] = typeof updater === "function" ? updater(sorting) : updater;
      if (first) onSort(first.desc ? `-${first.id}` : first.id);
    },
  });
  const marked = rows.filter((row) => selection.rows.has(idOf(row))).length;
  return (
    <table className={`table list ${memory.dense ? "list-dense" : ""}`} {...roles.table}>
      <caption className="sr-only">{caption}</caption>
      <thead {...roles.group}>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} {...roles.row}>
            <th className="list-mark" {...roles.head}>
              <MarkAll
                count={marked}
                total={rows.length}
                onMark={(on) => selection.set(rows, on)}
              />
            </th>
            {group.headers.map((header) => (
              <HeadCell key={header.id} header={header} />
            ))}
          </tr>
        ))}
      </thead>
      <tbody onKeyDown={(event) => walk(event)} {...roles.group}>
        {table.getRowModel().rows.map((row) => (
          <BodyRow key={row.id} row={row} {...props} />
        ))}
      </tbody>
    </table>
  );
}

function MarkAll({
  count,
  total,
  onMark,
}: {
  count: number;
  total: number;
  onMark: (on: boolean) => void;
}) {
  const t = useTranslations("lists");
  return (
    <label className="list-box">
      <span className="sr-only">{t("selectAll")}</span>
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={total > 0 && count === total}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < total;
        }}
        onChange={(event) => onMark(event.target.checked)}
      />
    </label>
  );
}

const wayOf = { asc: "ascending", desc: "descending" } as const;

function HeadCell<Item extends RowData>({ header }: { header: Header<Features, Item, unknown> }) {
  const { column } = header;
  const meta = column.columnDef.meta;
  const sorted = column.getIsSorted();
  const falls = sorted ? sorted === "asc" : column.columnDef.sortDescFirst === true;
  return (
    <th
      className={`${meta?.numeric ? "num" : ""} ${meta?.from === "desk" ? "list-from-desk" : ""}`}
      aria-sort={sorted ? wayOf[sorted] : undefined}
      {...roles.head}
    >
      {column.columnDef.enableSorting === false ? (
        meta?.label
      ) : (
        <button type="button" className="list-sort" onClick={() => column.toggleSorting(falls)}>
          {meta?.label}
          <span aria-hidden="true" className={sorted ? "" : "invisible"}>
            {sorted === "asc" ? "↑" : "↓"}
          </span>
        </button>
      )}
    </th>
  );
}

function BodyRow<Item extends RowData>({
  row,
  idOf,
  nameOf,
  selection,
}: ListTableProps<Item> & { row: Row<Features, Item> }) {
  const t = useTranslations("lists");
  const item = row.original;
  const isMarked = selection.rows.has(idOf(item));
  return (
    <tr aria-selected={isMarked} {...roles.row}>
      <td className="list-mark" {...roles.cell}>
        <label className="list-box">
          <span className="sr-only">{t("select", { name: nameOf(item) })}</span>
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isMarked}
            onChange={(event) => selection.set([item], event.target.checked)}
          />
        </label>
      </td>
      {row.getVisibleCells().map((visible) => {
        const { meta, cell } = visible.column.columnDef;
        return (
          <td
            key={visible.id}
            data-label={meta?.label}
            className={`list-${meta?.place ?? "line"} ${meta?.numeric ? "num" : ""} ${meta?.from === "desk" ? "list-from-desk" : ""}`}
            {...roles.cell}
          >
            {typeof cell === "function" ? cell(visible.getContext()) : null}
          </td>
        );
      })}
    </tr>
  );
}
