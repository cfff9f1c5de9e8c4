"use client";

import { useTranslations } from "next-intl";
import { formatNs, formatShare, notify } from "@/components/ui";
import type { EngineSummary } from "@/lib/common/contract";
import type { Draft } from "./draft";
import { optionTitles } from "./option-fields";
import type { PresetOutlook } from "./preset-outlook";
import { type PresetChoice, presetChoices, presetState } from "./presets";

type Chosen = Pick<Draft, "options" | "preset">;

/** What the options are to be good for: one radio group, which fills in the options below it. */
export function PresetQuestion({
  engine,
  chosen,
  outlooks,
  onChoose,
}: {
  engine: EngineSummary;
  chosen: Chosen;
  /** What each comes to on the chosen board, as far as it is known. */
  outlooks: ReadonlyMap<string, PresetOutlook>;
  onChoose: (chosen: Chosen) => void;
}) {
  const t = useTranslations("deploy.presets");
  const choices = presetChoices(engine);
  const state = presetState(chosen, engine);
  const titles = optionTitles(engine.optionsSchema);
  const choose = ({ id, options }: PresetChoice) => {
    if (state.changed.length > 0)
      notify({
        title: t("replaced", { preset: t(`names.${id}`) }),
        undo: async () => onChoose({ options: chosen.options, preset: chosen.preset }),
      });
    onChoose({ preset: id, options });
  };
  const origin = choices.find(({ id }) => id === state.id);
  return (
    <div className="mb-3">
      <div
        role="radiogroup"
        aria-label={t("title")}
        className="grid gap-px overflow-hidden rounded-control border border-line bg-line tablet:grid-cols-2"
      >
        {choices.map((choice) => (
          <PresetCard
            key={choice.id}
            choice={choice}
            isChosen={choice.id === state.id}
            sets={setsOf(choice, titles)}
            outlook={outlooks.get(choice.id)}
            onChoose={() => choose(choice)}
          />
        ))}
      </div>
      {origin && state.changed.length > 0 ? (
        <p className="mt-2 text-dense" role="status">
          {t("changed", {
            preset: t(`names.${state.id}`),
            options: state.changed.map((name) => titles.get(name) ?? name).join(", "),
          })}{" "}
          <button
            type="button"
            className="min-h-6 text-accent hover:underline"
            onClick={() => choose(origin)}
          >
            {t("back", { preset: t(`names.${state.id}`) })}
          </button>
        </p>
      ) : null}
    </div>
  );
}

function PresetCard({
  choice: { id },
  isChosen,
  sets,
  outlook,
  onChoose,
}: {
  choice: PresetChoice;
  isChosen: boolean;
  sets: string;
  outlook: PresetOutlook | undefined;
  onChoose: () => void;
}) {
  const t = useTranslations("deploy.presets");
  return (
    <label
      className={`grid grid-cols-[20px_minmax(0,1fr)] content-start gap-x-2 px-3 py-2 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent ${isChosen ? "bg-wash" : "cursor-pointer bg-surface hover:bg-[color-mix(in_srgb,var(--text)_3%,var(--surface))]"}`}
    >
      <input
        type="radio"
        name="preset"
        value={id}
        checked={isChosen}
        aria-labelledby={`preset-${id}`}
        aria-describedby={`preset-${id}-text`}
        onChange={onChoose}
        className="mt-1 size-3.5 accent-accent outline-none"
      />
      <span id={`preset-${id}`} className="font-strong">
        {t(`names.${id}`)}
      </span>
      <span id={`preset-${id}-text`} className="col-start-2 text-dense">
        {outlook ? <OutlookWords outlook={outlook} /> : t(`texts.${id}`)}
        <span className="block text-label break-words text-muted">{sets || t("setsNothing")}</span>
      </span>
    </label>
  );
}

function OutlookWords({ outlook }: { outlook: PresetOutlook }) {
  const t = useTranslations("deploy.presets");
  if (outlook.fits)
    return t("fits", {
      share: formatShare(outlook.share),
      time: formatNs(outlook.microseconds * 1000),
    });
  return outlook.share === null ? t("fitsNot") : t("lacks", { share: formatShare(outlook.share) });
}

/** What a preset sets, by the titles of the options: `Numbers smallest · Lanes 1`. */
const setsOf = ({ options }: PresetChoice, titles: ReadonlyMap<string, string>): string =>
  Object.entries(options)
    .map(([name, value]) => `${titles.get(name) ?? name} ${String(value)}`)
    .join(" · ");
