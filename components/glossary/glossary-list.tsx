"use client";

import { useMessages, useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";

/** All words by name, cut down to those whose name or definition holds every word of the search. */
export function GlossaryList() {
  const t = useTranslations("glossary");
  const { terms } = useMessages().glossary;
  const [search, setSearch] = useQueryState("search", parseAsString.withDefault(""));
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = Object.entries(terms)
    .filter(([, { name, text }]) =>
      wanted.every((word) => `${name} ${text}`.toLowerCase().includes(word)),
    )
    .toSorted(([, a], [, b]) => a.name.localeCompare(b.name));
  return (
    <>
      <input
        type="search"
        className="field mb-6 max-w-96"
        aria-label={t("search")}
        placeholder={t("search")}
        value={search}
        onChange={(event) => void setSearch(event.target.value || null)}
      />
      <dl className="max-w-[84ch] border-t border-line">
        {found.map(([id, { name, text }]) => (
          <div
            key={id}
            id={id}
            className="grid gap-x-6 border-b border-line py-2.5 target:bg-wash tablet:grid-cols-[180px_minmax(0,1fr)]"
          >
            <dt className="font-strong">{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p role="status">{found.length === 0 ? t("none", { text: search }) : null}</p>
    </>
  );
}
