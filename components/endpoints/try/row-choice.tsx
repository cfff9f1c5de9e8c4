"use client";

import { useTranslations } from "next-intl";

/** Turns over the rows of a batch, by buttons or by number; rows count from 0 here and from 1 on the screen. */
export function RowChoice({
  label,
  rows,
  value,
  onChoose,
}: {
  label: string;
  rows: number;
  value: number;
  onChoose: (row: number) => void;
}) {
  const t = useTranslations("predictions");
  const choose = (row: number) => {
    if (Number.isInteger(row)) onChoose(Math.min(rows - 1, Math.max(0, row)));
  };
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2 text-dense">
      <label className="flex items-center gap-2">
        {label}
        <input
          type="number"
          className="field h-8 w-20 px-2 text-dense"
          min={1}
          max={rows}
          value={value + 1}
          onChange={(event) => choose(event.target.valueAsNumber - 1)}
        />
      </label>
      <span className="text-muted">{t("ofRows", { rows })}</span>
      <button
        type="button"
        className="btn btn-dense"
        disabled={value === 0}
        onClick={() => choose(value - 1)}
      >
        {t("previous")}
      </button>
      <button
        type="button"
        className="btn btn-dense"
        disabled={value >= rows - 1}
        onClick={() => choose(value + 1)}
      >
        {t("next")}
      </button>
    </div>
  );
}
