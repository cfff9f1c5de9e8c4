"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { z } from "zod";
import type { EngineSummary, Inspection } from "@/lib/common/contract";
import type { Draft } from "./draft";
import { withEntry } from "./layer-values";
import { OptionControl } from "./option-control";
import { optionFields } from "./option-fields";
import { PresetQuestion } from "./preset-question";
import { presetState } from "./presets";
import { Question } from "./question";
import { usePresetOutlooks } from "./use-preset-outlooks";
import { weightedLayers } from "./weighted-layers";

// Of few engines, and folded at first.
const LayerSettings = dynamic(
  () => import("./layer-settings").then((module) => module.LayerSettings),
  { ssr: false },
);
const WeightBitsControl = dynamic(
  () => import("./weight-bits-control").then((module) => module.WeightBitsControl),
  { ssr: false },
);

/** The engine's own options, made from its JSON Schema. Folded until wanted, since the defaults are good. */
export function OptionsDrawer({
  engine,
  draft,
  facts,
  complaint,
  onEdit,
}: {
  engine: EngineSummary | undefined;
  draft: Draft;
  /** Of the model, once it was read. */
  facts: Inspection | undefined;
  complaint: string | undefined;
  onEdit: (part: Partial<Draft>) => void;
}) {
  const t = useTranslations("deploy.options");
  const [open, setOpen] = useState(false);
  const outlooks = usePresetOutlooks(draft, facts, engine);
  const fields = engine ? optionFields(engine.optionsSchema) : [];
  if (!engine || fields.length === 0) return null;
  const { options: values } = draft;
  const set = Object.keys(values).length;
  const hasPresets = engine.presets.length > 0;
  // What was chosen stays chosen while single options are tuned.
  const { id: preset } = presetState(draft, engine);
  const onChange = (options: Draft["options"]) =>
    onEdit(hasPresets ? { options, preset } : { options });
  const show = open || complaint !== undefined;
  return (
    <Question number="+" title={t("title")} field="options" complaint={complaint}>
      {hasPresets ? (
        <PresetQuestion engine={engine} chosen={draft} outlooks={outlooks} onChoose={onEdit} />
      ) : null}
      <button
        type="button"
        className="min-h-6 text-accent hover:underline"
        aria-expanded={show}
        onClick={() => setOpen(!open)}
      >
        {show ? t("hide") : t("show")}
      </button>{" "}
      <span className="text-dense text-muted">
        {set > 0 && !hasPresets
          ? t("changed", { count: set })
          : fields
              .slice(0, 5)
              .map(({ title }) => title.toLowerCase())
              .join(", ")}
      </span>
      {show ? (
        <div className="mt-3 grid gap-x-8 gap-y-4 tablet:grid-cols-2">
          {fields
            .filter(({ kind }) => kind !== "layers")
            .map((field) => (
              <OptionControl
                key={field.name}
                field={field}
                value={values[field.name]}
                onChange={(value) => onChange(withEntry(values, field.name, value))}
              />
            ))}
          {hasWeightBits(engine.optionsSchema) ? (
            <WeightBitsControl
              value={values["weightBits"]}
              layers={facts ? weightedLayers(facts) : []}
              onChange={(value) => onChange(withEntry(values, "weightBits", value))}
            />
          ) : null}
          {fields
            .filter(({ kind }) => kind === "layers")
            .map((field) => (
              <LayerSettings
                key={field.name}
                field={field}
                value={values[field.name]}
                layers={facts?.optionLayers?.[engine.id] ?? []}
                onChange={(value) => onChange(withEntry(values, field.name, value))}
              />
            ))}
        </div>
      ) : null}
    </Question>
  );
}

/** Bits by layer are a list, which only a control of its own can hold. */
const hasWeightBits = (schema: unknown) =>
  z.object({ properties: z.looseObject({ weightBits: z.unknown() }) }).safeParse(schema).data
    ?.properties.weightBits !== undefined;
