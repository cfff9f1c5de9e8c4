"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote } from "@/components/ui";
import { type Endpoint, maxTestRows, type TestRows } from "@/lib/common/contract";
import { testRowsQuery } from "../api";
import { withRows } from "../request/request-grid";
import { sampleGrid } from "../request/sample-text";
import type { RequestEditor } from "./use-request-editor";

/** Takes rows that the model is tested with, so that the answer can be held against what is expected. */
export function TestRowsPicker({
  endpoint,
  onReplace,
}: {
  endpoint: Endpoint;
  onReplace: RequestEditor["replace"];
}) {
  const t = useTranslations("predictions");
  const client = useQueryClient();
  const id = useId();
  const [first, setFirst] = useState(1);
  const [count, setCount] = useState(1);
  const [found, setFound] = useState<TestRows | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const [asking, setAsking] = useState(false);
  const take = async (from: number) => {
    if (!Number.isInteger(from) || !Number.isInteger(count) || from < 1 || count < 1) return;
    setAsking(true);
    try {
      const rows = await client.fetchQuery(
        testRowsQuery(endpoint.name, from, Math.min(count, maxTestRows)),
      );
      setFailed(null);
      setFound(rows);
      setFirst(from);
      putIn(rows);
    } catch (error) {
      setFailed(error);
    } finally {
      setAsking(false);
    }
  };
  const putIn = ({ rows, source }: TestRows) => {
    const grid = sampleGrid(endpoint);
    const [from, to] = [rows[0]?.row, rows.at(-1)?.row];
    if (!grid || from === undefined || to === undefined) return;
    onReplace(
      withRows(
        grid,
        rows.map(({ values }) => values.map(String)),
      ),
      {
        labels: rows.some(({ label }) => label !== null) ? rows.map(({ label }) => label) : null,
        source:
          from === to
            ? t("sourceRow", { source, row: from })
            : t("sourceRows", { source, from, to }),
      },
    );
  };
  return (
    <div className="well mt-2 p-3">
      <div className="flex flex-wrap items-end gap-2">
        <NumberField id={`${id}-first`} label={t("firstRow")} value={first} onValue={setFirst} />
        <NumberField
          id={`${id}-count`}
          label={t("rowCount", { most: maxTestRows })}
          value={count}
          onValue={setCount}
        />
        <button
          type="button"
          className="btn btn-dense"
          disabled={asking}
          onClick={() => void take(first)}
        >
          {asking ? t("asking") : t("takeRows")}
        </button>
        <button
          type="button"
          className="btn btn-dense"
          disabled={asking || (found !== null && first + count > found.total)}
          onClick={() => void take(found === null ? first : first + count)}
        >
          {t("takeNext")}
        </button>
      </div>
      {found ? (
        <p className="mt-2 text-dense text-muted">
          {t("testRowsOf", { source: found.source, total: found.total })}
          {found.calibrated ? ` ${t("testRowsCalibrated")}` : ""}
        </p>
      ) : null}
      {failed === null ? null : (
        <div className="mt-2">
          <ErrorNote title={t("noTestRows")} error={failed} />
        </div>
      )}
    </div>
  );
}

function NumberField({
  id,
  label,
  value,
  onValue,
}: {
  id: string;
  label: string;
  value: number;
  onValue: (value: number) => void;
}) {
  return (
    <label htmlFor={id} className="text-dense">
      <span className="label block">{label}</span>
      <input
        id={id}
        type="number"
        min={1}
        className="field h-8 w-24 px-2"
        value={Number.isNaN(value) ? "" : value}
        onChange={(event) => onValue(event.target.valueAsNumber)}
      />
    </label>
  );
}
