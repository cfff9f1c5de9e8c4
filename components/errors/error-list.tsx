"use client";

import Link from "next/link";
import { parseAsString, useQueryState } from "nuqs";

/** One error in the list. */
export interface ErrorEntry {
  readonly reason: string;
  readonly group: string;
  /** What it means, in a sentence. */
  readonly means: string;
  /** All that a search looks at. */
  readonly text: string;
}

/** The words of the list; explanations stay on the server, and so do these. */
interface ErrorListWords {
  readonly search: string;
  readonly searchHint: string;
  readonly clear: string;
  readonly none: string;
  /** Titles of the groups. */
  readonly groups: Readonly<Record<string, string>>;
}

/** All errors by what they are about, cut down to those that hold every word of the search. */
export function ErrorList({
  entries,
  words,
}: {
  entries: readonly ErrorEntry[];
  words: ErrorListWords;
}) {
  const [search, setSearch] = useQueryState("search", parseAsString.withDefault(""));
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ text }) => wanted.every((word) => text.includes(word)));
  const groups = Object.entries(words.groups).flatMap(([group, title]) => {
    const items = found.filter((entry) => entry.group === group);
    return items.length > 0 ? [{ group, title, items }] : [];
  });
  return (
    <>
      <input
        type="search"
        className="field mb-2 max-w-96"
        aria-label={words.search}
        placeholder={words.searchHint}
        value={search}
        onChange={(event) => void setSearch(event.target.value || null)}
      />
      <p role="status" className="mb-6 text-dense text-muted">
        {found.length} / {entries.length}
      </p>
      {groups.map(({ group, title, items }) => (
        <section key={group} className="mb-8">
          <h2 className="mb-2">{title}</h2>
          <ul className="border-t border-line">
            {items.map(({ reason, means }) => (
              <li
                key={reason}
                className="grid gap-x-6 border-b border-line py-2 tablet:grid-cols-[260px_minmax(0,1fr)]"
              >
                <Link href={`/errors/${reason}`} className="font-mono text-dense break-all">
                  {reason}
                </Link>
                <span>{means}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {found.length === 0 ? (
        <p>
          {words.none.replace("{text}", search)}{" "}
          <button
            type="button"
            className="min-h-6 text-accent hover:underline"
            onClick={() => void setSearch(null)}
          >
            {words.clear}
          </button>
        </p>
      ) : null}
    </>
  );
}
