"use client";

import { useTranslations } from "next-intl";
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from "react";
import { ErrorNote, formatDigits } from "@/components/ui";
import { readCells } from "@/lib/common/rows";
import { setElement } from "../request/request-document";
import { cellOf, cellsOf, placeOf, type RequestGrid, withRows } from "../request/request-grid";
import { CellField } from "./cell-field";
import type { Labels } from "./use-request-editor";

/** Fields that a browser draws without effort. */
const fieldsAtOnce = 1_200;
const mostRowsAtOnce = 25;

/** The rows of the request as a table; what a spreadsheet copies can be pasted at any cell. */
export function TableView({
  grid,
  labels,
  classes,
  faults,
  onText,
  onRows,
}: {
  grid: RequestGrid;
  labels: Labels | null;
  classes: readonly string[] | undefined;
  faults: ReadonlySet<number>;
  onText: (text: string) => void;
  /** Rows came or went: labels go with them. */
  onRows: (text: string, labels: Labels | null) => void;
}) {
  const t = useTranslations("predictions");
  const table = useRef<HTMLTableElement>(null);
  const [page, setPage] = useState(0);
  const [refused, setRefused] = useState<unknown>(null);
  const size = Math.max(
    1,
    Math.min(mostRowsAtOnce, Math.floor(fieldsAtOnce / grid.columns.length)),
  );
  const pages = Math.max(1, Math.ceil(grid.rows / size));
  const first = Math.min(page, pages - 1) * size;
  const rows = Array.from({ length: Math.min(size, grid.rows - first) }, (_, at) => first + at);
  const change = (cells: string[][], next: Labels | null) => onRows(withRows(grid, cells), next);
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const text = event.clipboardData.getData("text/plain");
    if (!/[\t\n]/.test(text.trimEnd())) return;
    event.preventDefault();
    try {
      const pasted = pasteInto(grid, { row, column }, text);
      setRefused(null);
      change(pasted, pasted.length === grid.rows ? labels : null);
    } catch (error) {
      setRefused(error);
    }
  };
  return (
    <>
      <div className="max-h-[min(64vh,600px)] overflow-auto">
        <table
          ref={table}
          className="table list text-dense"
          onKeyDown={(event) => walk(event, table.current)}
        >
          <caption className="sr-only">{t("tableCaption")}</caption>
          <thead>
            <tr>
              <th className="num">{t("row")}</th>
              {grid.columns.map(({ name, unit, low, high, inputName, element }) => (
                <th key={`${inputName} ${element}`} title={inputName}>
                  {name}
                  {unit ? <span className="unit">{unit}</span> : null}
                  {low !== null && high !== null ? (
                    <span className="label block whitespace-nowrap">
                      {t("range", { low: formatDigits(low), high: formatDigits(high) })}
                    </span>
                  ) : null}
                </th>
              ))}
              {labels ? <th>{t("expected")}</th> : null}
              <th>
                <span className="sr-only">{t("remove")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row}>
                <td className="num list-title">{row + 1}</td>
                {grid.columns.map((column, at) => {
                  const place = placeOf(grid, row, at);
                  const start = grid.document.inputs[place.input]?.starts[place.element] ?? -1;
                  return (
                    <td
                      key={`${column.inputName} ${column.element}`}
                      className="list-line"
                      data-label={column.name}
                    >
                      <CellField
                        aria-label={t("cell", { name: column.name, row: row + 1 })}
                        data-cell={`${row} ${at}`}
                        className="min-w-20"
                        value={cellOf(grid, row, at)}
                        invalid={faults.has(start)}
                        onPaste={(event) => paste(event, row, at)}
                        onType={(typed) => onText(setElement(grid.document, place, typed))}
                      />
                    </td>
                  );
                })}
                {labels ? (
                  <td className="list-line" data-label={t("expected")}>
                    {nameOf(labels[row], classes)}
                  </td>
                ) : null}
                <td className="list-state">
                  <button
                    type="button"
                    className="btn btn-quiet btn-dense"
                    aria-label={t("removeRow", { row: row + 1 })}
                    disabled={!grid.isBatched || grid.rows === 1}
                    onClick={() =>
                      change(cellsOf(grid).toSpliced(row, 1), labels?.toSpliced(row, 1) ?? null)
                    }
                  >
                    ✕
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {refused === null ? null : <ErrorNote title={t("notPasted")} error={refused} />}
      <div className="mt-2 flex flex-wrap items-center gap-2 text-dense">
        <button
          type="button"
          className="btn btn-dense"
          disabled={!grid.isBatched}
          onClick={() => {
            const cells = cellsOf(grid);
            change([...cells, cells.at(-1) ?? []], labels ? [...labels, null] : null);
            setPage(Math.floor(grid.rows / size));
          }}
        >
          {t("addRow")}
        </button>
        {pages > 1 ? (
          <>
            <span className="text-muted">
              {t("rowsShown", { from: first + 1, to: first + rows.length, count: grid.rows })}
            </span>
            <button
              type="button"
              className="btn btn-dense"
              disabled={first === 0}
              onClick={() => setPage(first / size - 1)}
            >
              {t("previous")}
            </button>
            <button
              type="button"
              className="btn btn-dense"
              disabled={first + size >= grid.rows}
              onClick={() => setPage(first / size + 1)}
            >
              {t("next")}
            </button>
          </>
        ) : null}
        <span className="text-muted">{grid.isBatched ? t("pasteHint") : t("oneRowOnly")}</span>
      </div>
    </>
  );
}

/** A class by its name, else by its index. */
const nameOf = (label: number | null | undefined, classes: readonly string[] | undefined) =>
  label === null || label === undefined ? "–" : (classes?.[label] ?? String(label));

/**
 * The rows with a pasted block in them; it makes rows where there are too few, and what is wider than the table is left out.
 *
 * @throws {AppError} `ROWS_INVALID`
 */
export function pasteInto(
  grid: RequestGrid,
  { row, column }: { readonly row: number; readonly column: number },
  text: string,
): string[][] {
  const { rows } = readCells(text, "the pasted cells");
  const cells = cellsOf(grid);
  const blank = cells.at(-1) ?? [];
  for (const [down, line] of rows.entries()) {
    if (row + down >= cells.length && !grid.isBatched) break;
    const target = [...(cells[row + down] ?? blank)];
    for (const [right, cell] of line.entries()) {
      if (column + right < target.length) target[column + right] = cell;
    }
    cells[row + down] = target;
  }
  return cells;
}

const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, Enter: 1 };

/** Up, down and Enter go to the same column of another row, as in a spreadsheet; Tab goes on as everywhere. */
function walk(event: KeyboardEvent, table: HTMLTableElement | null): void {
  const step = steps[event.key];
  const cell = (event.target as HTMLElement).dataset["cell"];
  if (step === undefined || !cell || event.ctrlKey || event.metaKey) return;
  const [row = 0, column = 0] = cell.split(" ").map(Number);
  const next = table?.querySelector<HTMLElement>(`[data-cell="${row + step} ${column}"]`);
  if (!next) return;
  event.preventDefault();
  next.focus();
}
