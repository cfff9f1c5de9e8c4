"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { parseAsNativeArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useEffect, useRef } from "react";
import { Age, Loaded, Section, Skeleton, ToneIcon } from "@/components/ui";
import { type EndpointLogEntry, endpointLogKinds } from "@/lib/common/contract";
import { endpointLogQuery } from "../traffic/api";
import { entryTone, entryWords } from "./entry-words";

const parsers = {
  kind: parseAsNativeArrayOf(parseAsStringLiteral(endpointLogKinds)),
  search: parseAsString.withDefault(""),
  cursor: parseAsString.withDefault(""),
  entry: parseAsString.withDefault(""),
};

/** Kinds that are filtered by together. */
const groups = {
  states: ["created", "state"],
  revisions: ["revision", "switched"],
  boards: ["board"],
  people: [
    "paused",
    "resumed",
    "payloads_kept",
    "payloads_dropped",
    "opened_to_all",
    "closed_to_tokens",
    "closed_to_owner",
  ],
} as const;
type Group = keyof typeof groups;
const groupNames = Object.keys(groups) as Group[];

/** What happened to an endpoint, newest first: filtered and paged by the server, each entry with an address. */
export function LogPanel({ name }: { name: string }) {
  const t = useTranslations("traffic.log");
  const [{ kind, search, cursor, entry }, set] = useQueryStates(parsers, { history: "push" });
  const asked = new URLSearchParams(kind.map((each) => ["kind", each]));
  if (search.trim() !== "") asked.set("search", search.trim());
  if (cursor !== "") asked.set("cursor", cursor);
  const query = useQuery(endpointLogQuery(name, String(asked)));
  const chosen = groupNames.find((group) => groups[group].join() === kind.join()) ?? null;
  const isFiltered = kind.length > 0 || search !== "";
  const clear = () => void set({ kind: null, search: null, cursor: null });
  return (
    <Section title={t("title")}>
      <search className="mb-3 flex flex-wrap items-center gap-2">
        <input
          type="search"
          aria-label={t("search")}
          placeholder={t("search")}
          maxLength={200}
          className="field h-8 text-dense tablet:w-64"
          value={search}
          onChange={(event) =>
            void set({ search: event.target.value, cursor: null }, { history: "replace" })
          }
        />
        {[null, ...groupNames].map((group) => (
          <button
            key={group ?? "all"}
            type="button"
            className="btn btn-dense aria-pressed:border-accent aria-pressed:bg-wash aria-pressed:text-accent"
            aria-pressed={chosen === group && (group !== null || kind.length === 0)}
            onClick={() => void set({ kind: group && [...groups[group]], cursor: null })}
          >
            {t(group ?? "all")}
          </button>
        ))}
      </search>
      <Loaded query={query} loading={<Skeleton lines={8} />} failure={t("unreadable")}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? <Nothing isFiltered={isFiltered} onClear={clear} /> : null}
            <ol aria-label={t("title")} className="border-t border-line">
              {items.map((item) => (
                <Entry key={item.id} name={name} item={item} isMarked={item.id === entry} />
              ))}
            </ol>
            <nav aria-label={t("pages")} className="mt-3 flex gap-2">
              {cursor === "" ? null : (
                <button
                  type="button"
                  className="btn btn-dense"
                  onClick={() => void set({ cursor: null })}
                >
                  {t("newest")}
                </button>
              )}
              {nextCursor === null ? null : (
                <button
                  type="button"
                  className="btn btn-dense"
                  onClick={() => void set({ cursor: nextCursor })}
                >
                  {t("older")}
                </button>
              )}
            </nav>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const t = useTranslations("traffic.log");
  return (
    <p className="flex flex-wrap gap-x-3 py-4">
      <span className="text-muted">{t(isFiltered ? "noneSuch" : "none")}</span>
      {isFiltered ? (
        <button type="button" className="text-accent hover:underline" onClick={onClear}>
          {t("clear")}
        </button>
      ) : null}
    </p>
  );
}

function Entry({
  name,
  item,
  isMarked,
}: {
  name: string;
  item: EndpointLogEntry;
  isMarked: boolean;
}) {
  const t = useTranslations("traffic.log");
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: "center" });
  }, [isMarked]);
  return (
    <li
      ref={row}
      aria-current={isMarked}
      className={`grid grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 border-b border-line py-2 ${isMarked ? "bg-wash" : ""}`}
    >
      <ToneIcon tone={entryTone(item)} />
      <span className="min-w-0 break-words">
        {entryWords(item, t)}
        {item.board === null ? null : (
          <Link className="ml-3 inline-block" href={`/boards#${item.boardId}`}>
            {item.board}
          </Link>
        )}
        {item.message === null ? null : (
          <span className="block text-dense text-muted">{item.message}</span>
        )}
        {item.reason === null ? null : <code className="text-dense text-muted">{item.reason}</code>}
      </span>
      <Link
        className="text-dense"
        href={`/endpoints/${name}?tab=logs&entry=${item.id}`}
        scroll={false}
      >
        <Age time={item.at} />
      </Link>
    </li>
  );
}
