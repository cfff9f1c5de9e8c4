"use client";

import { useTranslations } from "next-intl";
import type { Draft } from "./draft";
import { Question } from "./question";

type ServingDraft = Draft["serving"];

/** How many slots serve, how many rows may share a call of theirs, and how long the first of them waits for others. */
export function ServingLine({
  value,
  onChange,
}: {
  value: ServingDraft;
  onChange: (value: ServingDraft) => void;
}) {
  const t = useTranslations("deploy.serving");
  const set = (name: keyof ServingDraft, text: string) => {
    const { [name]: _old, ...rest } = value;
    const number = Number(text);
    onChange(text === "" || !(number >= 0) ? rest : { ...rest, [name]: number });
  };
  return (
    <Question number="+" title={t("title")} field="serving" complaint={undefined}>
      <p className="mb-2 flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <label htmlFor="serving-replicas">{t("replicas")}</label>
        <input
          id="serving-replicas"
          className="field h-8 w-20 text-dense"
          type="number"
          min={1}
          max={16}
          step={1}
          placeholder="1"
          value={value.replicas ?? ""}
          onChange={(event) => set("replicas", event.target.value)}
        />
        <span>{t("replicasUnit")}</span>
      </p>
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <label htmlFor="serving-rows">{t("rows")}</label>
        <input
          id="serving-rows"
          className="field h-8 w-32 text-dense"
          type="number"
          min={1}
          max={4096}
          step={1}
          placeholder={t("rowsUsual")}
          value={value.maxBatchSize ?? ""}
          onChange={(event) => set("maxBatchSize", event.target.value)}
        />
        <label htmlFor="serving-wait">{t("wait")}</label>
        <input
          id="serving-wait"
          className="field h-8 w-20 text-dense"
          type="number"
          min={0}
          max={10_000}
          step="any"
          placeholder="0"
          value={value.maxWaitMs ?? ""}
          onChange={(event) => set("maxWaitMs", event.target.value)}
        />
        <span>{t("waitUnit")}</span>
      </p>
      <p className="mt-1 text-dense text-muted">{t("text")}</p>
    </Question>
  );
}
