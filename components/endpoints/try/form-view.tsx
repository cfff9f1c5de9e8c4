"use client";

import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { formatDigits } from "@/components/ui";
import { setElement } from "../request/request-document";
import {
  cellOf,
  cellsOf,
  type GridColumn,
  placeOf,
  type RequestGrid,
  rowOf,
  withRows,
} from "../request/request-grid";
import { CellField } from "./cell-field";
import { pictureOf } from "./picture";
import { PicturePad } from "./picture-pad";
import { RowChoice } from "./row-choice";

/** More fields than this on a page are no form any more; the others are turned to. */
const fieldsAtOnce = 128;

/** One row of the request as fields: name, unit and range of each value; square inputs as a picture to draw on. */
export function FormView({
  grid,
  faults,
  onText,
}: {
  grid: RequestGrid;
  /** Places in the text at which something is wrong. */
  faults: ReadonlySet<number>;
  onText: (text: string) => void;
}) {
  const t = useTranslations("predictions");
  const [chosen, setChosen] = useState(0);
  const [first, setFirst] = useState(0);
  const row = Math.min(chosen, Math.max(0, grid.rows - 1));
  const picture = pictureOf(grid);
  const shown = grid.columns.slice(first, first + fieldsAtOnce);
  const type = (column: number, typed: string) =>
    onText(setElement(grid.document, placeOf(grid, row, column), typed));
  return (
    <div className="max-h-[min(64vh,600px)] overflow-y-auto pr-1">
      {grid.rows > 1 ? (
        <RowChoice label={t("row")} rows={grid.rows} value={row} onChoose={setChosen} />
      ) : null}
      {grid.rows === 0 ? <p className="text-muted">{t("noRows")}</p> : null}
      {picture && grid.rows > 0 ? (
        <PicturePad
          picture={picture}
          values={rowOf(grid, row)}
          onPaint={(painted) => {
            const next = rowOf(grid, row).map((each, at) => painted.get(at) ?? each);
            onText(withRows(grid, cellsOf(grid).with(row, next)));
          }}
        />
      ) : null}
      {grid.rows > 0 ? (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-x-3 gap-y-2">
          {shown.map((column, index) => {
            const at = first + index;
            const { input, element } = placeOf(grid, row, at);
            const start = grid.document.inputs[input]?.starts[element] ?? -1;
            return (
              <FeatureField
                key={`${column.inputName} ${column.element}`}
                column={column}
                value={cellOf(grid, row, at)}
                invalid={faults.has(start)}
                onType={(typed) => type(at, typed)}
              />
            );
          })}
        </div>
      ) : null}
      {grid.columns.length > fieldsAtOnce ? (
        <FieldPages
          count={grid.columns.length}
          first={first}
          shown={shown.length}
          onFirst={setFirst}
        />
      ) : null}
    </div>
  );
}

function FieldPages({
  count,
  first,
  shown,
  onFirst,
}: {
  count: number;
  first: number;
  shown: number;
  onFirst: (first: number) => void;
}) {
  const t = useTranslations("predictions");
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2 text-dense">
      <span>{t("fieldsShown", { from: first + 1, to: first + shown, count })}</span>
      <button
        type="button"
        className="btn btn-dense"
        disabled={first === 0}
        onClick={() => onFirst(Math.max(0, first - fieldsAtOnce))}
      >
        {t("previousFields")}
      </button>
      <button
        type="button"
        className="btn btn-dense"
        disabled={first + fieldsAtOnce >= count}
        onClick={() => onFirst(first + fieldsAtOnce)}
      >
        {t("nextFields")}
      </button>
    </p>
  );
}

function FeatureField({
  column: { name, unit, low, high, datatype },
  value,
  invalid,
  onType,
}: {
  column: GridColumn;
  value: string;
  invalid: boolean;
  onType: (typed: string) => void;
}) {
  const t = useTranslations("predictions");
  const id = useId();
  const isOutside =
    !invalid &&
    value !== "" &&
    low !== null &&
    high !== null &&
    (Number(value) < low || Number(value) > high);
  const hint =
    low !== null && high !== null
      ? t("range", { low: formatDigits(low), high: formatDigits(high) })
      : datatype;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="label block truncate" title={name}>
        {name}
        {unit ? <span className="unit">{unit}</span> : null}
      </label>
      <CellField
        id={id}
        value={value}
        invalid={invalid}
        aria-describedby={`${id}-hint`}
        onType={onType}
      />
      <span
        id={`${id}-hint`}
        className={`label block truncate ${invalid ? "text-bad!" : isOutside ? "text-warn!" : ""}`}
      >
        {invalid ? t("noValue", { datatype }) : isOutside ? t("outside", { hint }) : hint}
      </span>
    </div>
  );
}
