"use client";

import { useTranslations } from "next-intl";
import { choices, type Preferences } from "./preferences";
import { usePreferences } from "./use-preferences";

/** One preference as a row of radio buttons. */
export function PreferenceQuestion({ part }: { part: keyof Preferences }) {
  const t = useTranslations("preferences");
  const { preferences, change } = usePreferences();
  return (
    <fieldset>
      <legend className="label mb-1">{t(`${part}.title`)}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {choices[part].map((choice) => (
          <label key={choice} className="flex min-h-7 cursor-pointer items-center gap-2">
            <input
              type="radio"
              name={`preference-${part}`}
              checked={preferences[part] === choice}
              onChange={() => change(part, choice)}
            />
            <span lang={part === "language" ? choice : undefined}>{t(wordOf(part, choice))}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The text that names a choice. Not every pair of the type exists; those of `choices` do. */
const wordOf = (part: keyof Preferences, choice: string) => `${part}.${choice}` as "theme.dark";
