"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CopyButton } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { chosenLanguage, rememberLanguage } from "../request/chosen-language";
import type { Target } from "../request/predict";
import { type Language, languages, snippetOf } from "../request/snippets";

/** Copies the request as it is now in the language that was chosen last. */
export function CopyAs({
  endpoint,
  target: { revision },
  text,
}: {
  endpoint: Endpoint;
  target: Target;
  text: string;
}) {
  const t = useTranslations("predictions");
  const [language, setLanguage] = useState<Language>(chosenLanguage);
  const snippet = snippetOf(language, { ...endpoint, revision }, text);
  return (
    <div className="mt-3 flex flex-wrap items-center gap-1 text-dense">
      <label className="flex items-center gap-2">
        <span className="text-muted">{t("copyAsLabel")}</span>
        <select
          className="field h-8 w-36 px-2 text-dense"
          value={language}
          onChange={(event) => {
            const next = languages.find((each) => each === event.target.value) ?? "curl";
            setLanguage(next);
            rememberLanguage(next);
          }}
        >
          {languages.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {snippet === null ? (
        <span className="text-muted">{t("noSnippet")}</span>
      ) : (
        <CopyButton text={snippet} className="btn btn-dense">
          {t("copyAs", { language })}
        </CopyButton>
      )}
    </div>
  );
}
