"use client";

import { useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import { trafficRanges } from "@/lib/common/contract";
import type { TimeWindow } from "./use-time-window";

/** The stretch of time of all charts: one that ends now, or from one moment to another, typed. */
export function RangeBar({
  window,
  fromMs,
  toMs,
}: {
  window: TimeWindow;
  /** What is shown. */
  fromMs: number;
  toMs: number;
}) {
  const t = useTranslations("traffic.range");
  return (
    <div className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-3">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="label mb-1">{t("legend")}</legend>
        {trafficRanges.map((range) => (
          <button
            key={range}
            type="button"
            className="btn btn-dense aria-pressed:border-accent aria-pressed:bg-wash aria-pressed:text-accent"
            aria-pressed={window.range === range}
            onClick={() => window.setRange(range)}
          >
            {t(range)}
          </button>
        ))}
      </fieldset>
      <Span key={`${fromMs} ${toMs}`} window={window} fromMs={fromMs} toMs={toMs} />
    </div>
  );
}

function Span({ window, fromMs, toMs }: { window: TimeWindow; fromMs: number; toMs: number }) {
  const t = useTranslations("traffic.range");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [isWrong, setWrong] = useState(false);
  const hint = useId();
  useEffect(() => {
    setFrom(localText(fromMs));
    setTo(localText(toMs));
  }, [fromMs, toMs]);
  const apply = () => {
    const [begin, end] = [Date.parse(from), Date.parse(to)];
    setWrong(!(begin < end));
    if (begin < end) window.setSpan(begin, end);
  };
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Moment label={t("from")} text={from} onChange={setFrom} hint={isWrong ? hint : undefined} />
      <Moment label={t("to")} text={to} onChange={setTo} hint={isWrong ? hint : undefined} />
      <button type="submit" className="btn btn-dense">
        {t("show")}
      </button>
      {isWrong ? (
        <p id={hint} role="alert" className="w-full text-dense text-bad">
          {t("wrong")}
        </p>
      ) : null}
    </form>
  );
}

function Moment({
  label,
  text,
  onChange,
  hint,
}: {
  label: string;
  text: string;
  onChange: (text: string) => void;
  hint: string | undefined;
}) {
  const id = useId();
  return (
    <span className="grid">
      <label htmlFor={id} className="label mb-1">
        {label}
      </label>
      <input
        id={id}
        type="datetime-local"
        className="field h-8 w-auto text-dense"
        value={text}
        aria-invalid={hint !== undefined}
        aria-describedby={hint}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  );
}

/** `2026-01-31T12:05` of the reader's own time zone, as the field has it. */
function localText(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16);
}
