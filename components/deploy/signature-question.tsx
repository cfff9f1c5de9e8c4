"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { formatShape } from "@/components/ui";
import { type Inspection, mostNamedFeatures } from "@/lib/common/contract";
import type { Draft } from "./draft";
import {
  blankFeature,
  cardFeatures,
  type FeatureDraft,
  featureComplaint,
  withFeature,
} from "./feature-draft";
import { inputCount } from "./input-count";
import { Question } from "./question";

/** What goes in and out of the model; with few inputs, what each of them is called, measured in, and usually between. */
export function SignatureQuestion({
  draft: { features },
  facts,
  complaint,
  onEdit,
  onLeave,
}: {
  draft: Pick<Draft, "features">;
  facts: Inspection;
  complaint: string | undefined;
  onEdit: (part: Partial<Draft>) => void;
  /** The fields are left. */
  onLeave: () => void;
}) {
  const t = useTranslations("deploy.signature");
  const [open, setOpen] = useState(false);
  const card = cardFeatures(facts);
  const inputs = inputCount(facts) ?? 0;
  const isNameable = inputs > 0 && inputs <= mostNamedFeatures;
  const isShown = open || complaint !== undefined;
  const isGiven = features.some((each) => Object.values(each).some((text) => text.trim() !== ""));
  return (
    <Question number="+" title={t("title")} field="features" complaint={complaint}>
      <Tensors facts={facts} />
      {isNameable || isGiven ? (
        <>
          <button
            type="button"
            className="mt-2 min-h-6 text-accent hover:underline"
            aria-expanded={isShown}
            onClick={() => setOpen(!open)}
          >
            {t(isShown ? "hide" : "show", { count: Math.max(inputs, features.length) })}
          </button>{" "}
          <span className="text-dense text-muted">{summaryOf(features, card)}</span>
          {isShown ? (
            <>
              <FeatureTable
                features={features}
                card={card}
                count={Math.max(inputs, features.length)}
                inputs={inputs}
                onChange={(changed) => onEdit({ features: changed })}
                onLeave={onLeave}
              />
              <p className="mt-2 max-w-[72ch] text-dense text-muted">{t("text")}</p>
              {isGiven ? (
                <button
                  type="button"
                  className="mt-1 min-h-6 text-dense text-accent hover:underline"
                  onClick={() => onEdit({ features: [] })}
                >
                  {t("clear")}
                </button>
              ) : null}
            </>
          ) : null}
        </>
      ) : null}
    </Question>
  );
}

function Tensors({ facts }: { facts: Inspection }) {
  const t = useTranslations("deploy.signature");
  const rows = [
    ...facts.inputs.map((tensor) => ({ ...tensor, way: t("in") })),
    ...facts.outputs.map((tensor) => ({ ...tensor, way: t("out") })),
  ];
  return (
    <table className="table max-w-[560px] text-dense">
      <caption className="sr-only">{t("tensors")}</caption>
      <thead>
        <tr>
          <th>{t("way")}</th>
          <th>{t("tensor")}</th>
          <th>{t("datatype")}</th>
          <th>{t("shape")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ way, name, datatype, shape }) => (
          <tr key={`${way} ${name}`}>
            <td className="text-muted">{way}</td>
            <td className="break-all">
              <code>{name}</code>
            </td>
            <td>{datatype}</td>
            <td className="whitespace-nowrap">{formatShape(shape)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const fields = ["name", "unit", "min", "max"] as const;

function FeatureTable({
  features,
  card,
  count,
  inputs,
  onChange,
  onLeave,
}: {
  features: readonly FeatureDraft[];
  card: readonly FeatureDraft[];
  count: number;
  inputs: number;
  onChange: (features: readonly FeatureDraft[]) => void;
  onLeave: () => void;
}) {
  const t = useTranslations("deploy.signature");
  return (
    <ul
      aria-label={t("features")}
      className="mt-2 max-h-96 divide-y divide-line overflow-y-auto rounded-control border border-line"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onLeave();
      }}
    >
      {Array.from({ length: count }, (_, at) => {
        const own = features[at] ?? blankFeature;
        const known = card[at] ?? blankFeature;
        const isWrong = at >= inputs || featureComplaint([own], null) !== null;
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: A value of a row is its place.
            key={at}
            className="grid grid-cols-[24px_minmax(0,2fr)_minmax(0,1fr)] items-center gap-x-2 gap-y-1 px-2 py-1.5 tablet:grid-cols-[24px_minmax(0,3fr)_minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)]"
          >
            <span className="row-span-2 text-right text-label text-muted tablet:row-span-1">
              {at + 1}
            </span>
            {fields.map((field) => (
              <input
                key={field}
                className="field h-8 min-w-0 text-dense"
                inputMode={field === "min" || field === "max" ? "decimal" : undefined}
                spellCheck={false}
                autoComplete="off"
                aria-label={t(`fieldOf.${field}`, { at: at + 1 })}
                aria-invalid={isWrong}
                placeholder={known[field] || t(`fields.${field}`)}
                value={own[field]}
                onChange={(event) => onChange(withFeature(features, at, field, event.target.value))}
              />
            ))}
          </li>
        );
      })}
    </ul>
  );
}

/** The first names, so that somebody sees without opening whether they are right. */
function summaryOf(features: readonly FeatureDraft[], card: readonly FeatureDraft[]): string {
  const names = Array.from({ length: Math.max(features.length, card.length) }, (_, at) => {
    const name = features[at]?.name.trim() || card[at]?.name || "";
    const unit = features[at]?.unit.trim() || card[at]?.unit || "";
    return name === "" ? "" : unit === "" ? name : `${name} (${unit})`;
  }).filter((name) => name !== "");
  return names.length > 4 ? `${names.slice(0, 4).join(", ")}, …` : names.join(", ");
}
