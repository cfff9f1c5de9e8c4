"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ChoiceRow, CopyButton } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { chosenLanguage, rememberLanguage } from "./request/chosen-language";
import { sampleText } from "./request/sample-text";
import { type Language, languages, snippetOf } from "./request/snippets";
import { rememberSight } from "./sight";
import { readDraft } from "./try/read-draft";

/** The request of the Try tab as code, in the language that was chosen last. */
export function CodePanel({ endpoint }: { endpoint: Endpoint }) {
  const t = useTranslations("predictions");
  const [language, setLanguage] = useState<Language>(chosenLanguage);
  useEffect(() => rememberSight("code"), []);
  const target = { ...endpoint, revision: null };
  const text = readDraft(endpoint.name) ?? sampleText(endpoint);
  const own = snippetOf(language, target, text);
  const snippet = own ?? snippetOf(language, target, sampleText(endpoint)) ?? "";
  return (
    <>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-4">
        <ChoiceRow
          label={t("language")}
          choices={languages.map((id) => ({ id, label: id }))}
          value={language}
          onChoose={(next) => {
            setLanguage(next);
            rememberLanguage(next);
          }}
        />
        <CopyButton text={snippet} label={t("copySnippet")} />
      </div>
      <p className="mb-3 text-dense text-muted">
        {t(own === null ? "snippetOfSample" : "snippetOfRequest")}
      </p>
      <section aria-label={t("snippetIn", { language })} className="well">
        <pre className="max-h-[70vh] overflow-auto p-4 break-all whitespace-pre-wrap">
          {snippet}
        </pre>
      </section>
    </>
  );
}
