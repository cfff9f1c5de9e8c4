"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";

/** The least and the most bits that weights can have. */
const bounds = { min: 2, max: 8 } as const;

/** Bits of the weights: one number for all layers, or one for each once the layers are known. */
export function WeightBitsControl({
  value,
  layers,
  onChange,
}: {
  /** As the option has it: a number, a list, or nothing. */
  value: unknown;
  /** Names of the layers that have weights, in order; none while they are not known. */
  layers: readonly string[];
  onChange: (value: unknown) => void;
}) {
  const t = useTranslations("deploy.options");
  const given = [value].flat().filter((each) => typeof each === "number");
  const [isOpen, setOpen] = useState(Array.isArray(value));
  const byLayer = isOpen && layers.length > 1;
  const common = Array.isArray(value) ? undefined : given[0];
  const setLayer = (at: number, text: string) => {
    const fallback = given[0] ?? bounds.max;
    const list = layers.map((_, layer) => given[layer] ?? common ?? fallback);
    onChange(list.with(at, text === "" ? fallback : Number(text)));
  };
  const stray = Array.isArray(value) && layers.length > 0 && given.length !== layers.length;
  return (
    <fieldset>
      <legend className="label">{t("weightBits")}</legend>
      {byLayer ? (
        <ul className="grid gap-1">
          {layers.map((name, at) => (
            <li key={name} className="flex items-center gap-2 text-dense">
              <input
                className="field h-8 w-16 text-dense"
                type="number"
                {...bounds}
                aria-label={t("weightBitsOf", { layer: name })}
                value={given[at] ?? common ?? ""}
                onChange={(event) => setLayer(at, event.target.value)}
              />
              <span className="min-w-0 truncate" title={name}>
                {name}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <input
          className="field h-8 text-dense"
          type="number"
          {...bounds}
          aria-label={t("weightBitsAll")}
          placeholder={t("asNumbers")}
          value={common ?? ""}
          onChange={(event) =>
            onChange(event.target.value === "" ? undefined : Number(event.target.value))
          }
        />
      )}
      {layers.length > 1 ? (
        <button
          type="button"
          className="mt-1 min-h-6 text-dense text-accent hover:underline"
          onClick={() => {
            if (byLayer) onChange(given[0]);
            setOpen(!byLayer);
          }}
        >
          {byLayer ? t("oneForAll") : t("eachLayer")}
        </button>
      ) : null}
      <p className="mt-1 text-label text-muted">
        {stray ? t("strayBits", { given: given.length, layers: layers.length }) : t("bitsText")}
      </p>
    </fieldset>
  );
}
