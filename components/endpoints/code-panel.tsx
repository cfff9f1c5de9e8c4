"use client";

import { useEffect, useState } from "react";
import { ChoiceRow, CopyButton } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { type Language, languages, snippetOf } from "./request/snippets";
import { rememberCode } from "./seen-code";

/** The sample request as code, in the language that is chosen. */
export function CodePanel({ endpoint }: { endpoint: Endpoint }) {
  const [language, setLanguage] = useState<Language>("curl");
  useEffect(rememberCode, []);
  const text = snippetOf(language, endpoint);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-4">
        <ChoiceRow
          label="Language"
          choices={languages.map((id) => ({ id, label: id }))}
          value={language}
          onChoose={setLanguage}
        />
        <CopyButton text={text} label="Copy the snippet" />
      </div>
      <section aria-label={`${language} snippet`} className="well">
        <pre className="p-4 break-all whitespace-pre-wrap">{text}</pre>
      </section>
    </>
  );
}
