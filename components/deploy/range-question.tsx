"use client";

import { useTranslations } from "next-intl";
import { Term } from "@/components/glossary";
import { formatCount, ToneIcon } from "@/components/ui";
import type { Inspection } from "@/lib/common/contract";
import type { Draft } from "./draft";
import { inputCount } from "./input-count";
import { asksForRange, isRangeMissing } from "./missing-range";
import { Question } from "./question";
import { readRange } from "./range-draft";

/** Which values the inputs take: asked where nothing says it, since firmware holds no value outside of its range. */
export function RangeQuestion({
  draft,
  facts,
  complaint,
  onEdit,
  onLeave,
}: {
  draft: Draft;
  facts: Inspection | undefined;
  complaint: string | undefined;
  onEdit: (part: Partial<Draft>) => void;
  /** Something was typed, and the fields are left. */
  onLeave: () => void;
}) {
  const t = useTranslations("deploy.range");
  if (!asksForRange(draft, facts)) return null;
  const { range } = draft;
  const url = draft.url.trim();
  const inputs = facts ? inputCount(facts) : null;
  const isMissing = isRangeMissing(draft, facts);
  const edit = (part: Partial<Draft["range"]>) => onEdit({ range: { ...range, ...part } });
  return (
    <Question
      number="+"
      title={<Term id="clipping">{t("title")}</Term>}
      field="range"
      complaint={complaint}
    >
      {isMissing ? (
        <p className="mb-3 flex max-w-[72ch] items-baseline gap-2 border-l-2 border-warn py-1 pl-4 text-dense">
          <ToneIcon tone="warn" />
          <span>{t("missing")}</span>
        </p>
      ) : null}
      <fieldset
        className="flex flex-wrap gap-x-4 gap-y-2"
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!isMissing && !currentTarget.contains(relatedTarget)) onLeave();
        }}
      >
        <legend className="sr-only">{t("legend")}</legend>
        <BoundField
          id="range-min"
          label={t("min")}
          placeholder="0"
          value={range.min}
          isWrong={complaint !== undefined}
          onChange={(min) => edit({ min })}
        />
        <BoundField
          id="range-max"
          label={t("max")}
          placeholder="16"
          value={range.max}
          isWrong={complaint !== undefined}
          onChange={(max) => edit({ max })}
        />
      </fieldset>
      <p id="range-hint" className="mt-2 max-w-[72ch] text-dense text-muted">
        {t("hint", { count: inputs === null ? "none" : formatCount(inputs) })}{" "}
        {isMissing ? t("hintRows") : null}
      </p>
      <p role="status" className="max-w-[72ch] text-dense">
        {inWords(range, inputs, t)}
      </p>
      {isMissing ? (
        <label className="mt-2 flex min-h-6 w-fit items-center gap-2 text-dense">
          <input
            type="checkbox"
            checked={range.assumedFor === url}
            onChange={(event) => edit({ assumedFor: event.target.checked ? url : "" })}
          />
          {t("assume")}
        </label>
      ) : null}
    </Question>
  );
}

function BoundField({
  id,
  label,
  placeholder,
  value,
  isWrong,
  onChange,
}: {
  id: string;
  label: string;
  placeholder: string;
  value: string;
  isWrong: boolean;
  onChange: (text: string) => void;
}) {
  return (
    <div className="max-w-40 min-w-28 flex-1">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {/* A list that is pasted may have lines, which a lone line would run together. */}
      <textarea
        id={id}
        rows={1}
        className="field h-9 w-full resize-y py-2 text-dense"
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isWrong}
        aria-describedby={isWrong ? "error-range range-hint" : "range-hint"}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** What the fields were understood as, so that a comma in the wrong place is seen. */
function inWords(
  typed: Draft["range"],
  inputs: number | null,
  t: ReturnType<typeof useTranslations<"deploy.range">>,
): string {
  const { range } = readRange(typed, inputs);
  if (!range) return "";
  const low = Math.min(...[range.min].flat());
  const high = Math.max(...[range.max].flat());
  const isOne = typeof range.min === "number" && typeof range.max === "number";
  return t(isOne ? "every" : "each", { low: String(low), high: String(high) });
}
