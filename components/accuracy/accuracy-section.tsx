"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Term } from "@/components/glossary";
import { formatCount, formatDigits, formatShare, Section } from "@/components/ui";
import type { Accuracy } from "@/lib/common/contract";
import { ClippingBars } from "./clipping-bars";
import { ConfusionMap } from "./confusion-map";
import { OutputsTable } from "./outputs-table";
import { sourceWords } from "./source-words";
import { WorstRows } from "./worst-rows";

/** How near the integers of a firmware come to the model as it was given, on which rows, and where it goes wrong. */
export function AccuracySection({ accuracy }: { accuracy: Accuracy }) {
  const t = useTranslations("accuracy");
  const { confusion, clipping, worst, outputs, test } = accuracy;
  return (
    <Section title={t("title")} id="accuracy">
      <p className="mb-4 max-w-[80ch] text-dense text-muted">
        {sourceWords(accuracy, t).join(" ")}
      </p>
      {test.shared > 0 ? (
        <p className="mb-4 max-w-[80ch] border-l-2 border-warn py-1 pl-4 text-dense">
          {t("shared", {
            count: test.shared,
            shared: formatCount(test.shared),
            rows: formatCount(test.rows),
          })}
        </p>
      ) : null}
      <Headline accuracy={accuracy} />
      <OutputsTable outputs={outputs} />
      <div className="mt-6 grid gap-x-12 gap-y-8 desk:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        {confusion ? <ConfusionMap confusion={confusion} /> : null}
        <ClippingBars clipping={clipping} />
      </div>
      <WorstRows worst={worst} classes={confusion?.classes ?? []} />
    </Section>
  );
}

function Headline({ accuracy }: { accuracy: Accuracy }) {
  const t = useTranslations("accuracy.figures");
  const { agreement, floatAccuracy, integerAccuracy, maxAbsError } = accuracy;
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4">
      {agreement === null ? null : (
        <Figure
          name={<Term id="agreement">{t("agreement")}</Term>}
          value={formatShare(agreement)}
        />
      )}
      {integerAccuracy === null ? null : (
        <Figure
          name={<Term id="quantisation">{t("integer")}</Term>}
          value={formatShare(integerAccuracy)}
        />
      )}
      {floatAccuracy === null ? null : (
        <Figure name={t("float")} value={formatShare(floatAccuracy)} />
      )}
      <Figure name={t("maxError")} value={formatDigits(maxAbsError)} />
    </dl>
  );
}

function Figure({ name, value }: { name: ReactNode; value: string }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-dense text-muted">{name}</dt>
      <dd className="text-title font-strong">{value}</dd>
    </div>
  );
}
