"use client";

import { useState } from "react";
import { z } from "zod";
import type { EngineSummary, Inspection } from "@/lib/common/contract";
import { type OptionField, optionFields, optionValue } from "./option-fields";
import { Question } from "./question";
import { WeightBitsControl } from "./weight-bits-control";
import { weightedLayers } from "./weighted-layers";

/** The engine's own options, made from its JSON Schema. Folded until wanted, since the defaults are good. */
export function OptionsDrawer({
  engine,
  values,
  facts,
  complaint,
  onChange,
}: {
  engine: EngineSummary | undefined;
  values: Readonly<Record<string, unknown>>;
  /** Of the model, once it was read. */
  facts: Inspection | undefined;
  complaint: string | undefined;
  onChange: (values: Readonly<Record<string, unknown>>) => void;
}) {
  const [open, setOpen] = useState(false);
  const fields = engine ? optionFields(engine.optionsSchema) : [];
  if (!engine || fields.length === 0) return null;
  const set = Object.keys(values).length;
  const show = open || complaint !== undefined;
  return (
    <Question number="+" title="Options" field="options" complaint={complaint}>
      <button
        type="button"
        className="min-h-6 text-accent hover:underline"
        aria-expanded={show}
        onClick={() => setOpen(!open)}
      >
        {show ? "Hide options" : "Show options"}
      </button>{" "}
      <span className="text-dense text-muted">
        {set > 0
          ? `${set} changed`
          : fields
              .slice(0, 5)
              .map(({ title }) => title.toLowerCase())
              .join(", ")}
      </span>
      {show ? (
        <div className="mt-3 grid gap-x-8 gap-y-4 tablet:grid-cols-2">
          {fields.map((field) => (
            <OptionControl
              key={field.name}
              field={field}
              value={values[field.name]}
              onChange={(value) => {
                const { [field.name]: _old, ...rest } = values;
                onChange(value === undefined ? rest : { ...rest, [field.name]: value });
              }}
            />
          ))}
          {hasWeightBits(engine.optionsSchema) ? (
            <WeightBitsControl
              value={values["weightBits"]}
              layers={facts ? weightedLayers(facts) : []}
              onChange={(value) => {
                const { weightBits: _old, ...rest } = values;
                onChange(value === undefined ? rest : { ...rest, weightBits: value });
              }}
            />
          ) : null}
        </div>
      ) : null}
    </Question>
  );
}

/** Bits by layer are a list, which only a control of its own can hold. */
const hasWeightBits = (schema: unknown) =>
  z.object({ properties: z.looseObject({ weightBits: z.unknown() }) }).safeParse(schema).data
    ?.properties.weightBits !== undefined;

function OptionControl({
  field,
  value,
  onChange,
}: {
  field: OptionField;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const id = `option-${field.name}`;
  const text = value === undefined ? "" : String(value);
  const usual = field.fallback === undefined ? "chosen to fit" : String(field.fallback);
  const choices =
    field.kind === "boolean" ? ["true", "false"] : field.choices.map((choice) => String(choice));
  return (
    <div>
      <label htmlFor={id} className="label block">
        {field.title}
      </label>
      {choices.length > 0 ? (
        <select
          id={id}
          className="field h-8 text-dense"
          value={text}
          aria-describedby={`${id}-text`}
          onChange={(event) => onChange(optionValue(field, event.target.value))}
        >
          <option value="">{usual}</option>
          {choices
            .filter((choice) => choice !== String(field.fallback))
            .map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
        </select>
      ) : (
        <input
          id={id}
          className="field h-8 text-dense"
          type={field.kind === "number" ? "number" : "text"}
          min={field.minimum ?? undefined}
          max={field.maximum ?? undefined}
          step={field.kind === "number" && !field.whole ? "any" : undefined}
          placeholder={usual}
          value={text}
          aria-describedby={`${id}-text`}
          onChange={(event) => onChange(optionValue(field, event.target.value))}
        />
      )}
      <p id={`${id}-text`} className="mt-1 text-label text-muted">
        {field.text}
      </p>
    </div>
  );
}
