"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useEffect, useRef } from "react";
import { Age, formatCount, formatNs, Loaded, Section, Skeleton } from "@/components/ui";
import type { RequestRecord } from "@/lib/common/contract";
import { requestsQuery } from "../traffic/api";

const outcomes = ["ok", "client", "server"] as const;

/** The last requests of an endpoint: when, how each ended, where and how fast; those with a body can be sent again. */
export function RequestsPanel({ name }: { name: string }) {
  const t = useTranslations("traffic.requests");
  const [{ outcome, at }, set] = useQueryStates({
    outcome: parseAsStringLiteral(outcomes),
    at: parseAsString,
  });
  const query = useQuery(requestsQuery(name, outcome === null ? "" : `outcome=${outcome}`));
  return (
    <Section
      title={t("title")}
      aside={<Kept name={name} keeps={query.data?.keepsPayloads ?? false} />}
    >
      <fieldset className="mb-3 flex flex-wrap gap-1">
        <legend className="sr-only">{t("filter")}</legend>
        {[null, ...outcomes].map((each) => (
          <button
            key={each ?? "any"}
            type="button"
            className="btn btn-dense aria-pressed:border-accent aria-pressed:bg-wash aria-pressed:text-accent"
            aria-pressed={outcome === each}
            onClick={() => void set({ outcome: each })}
          >
            {t(each ?? "any")}
          </button>
        ))}
      </fieldset>
      <Loaded query={query} loading={<Skeleton lines={8} />} failure={t("unreadable")}>
        {({ items }) =>
          items.length > 0 ? (
            <Requests name={name} items={items} at={at} />
          ) : (
            <Nothing
              name={name}
              filtered={outcome !== null}
              onClear={() => void set({ outcome: null })}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

function Kept({ name, keeps }: { name: string; keeps: boolean }) {
  const t = useTranslations("traffic.requests");
  return (
    <span className="flex flex-wrap gap-x-3 text-dense">
      <span className="text-muted">{t(keeps ? "kept" : "notKept")}</span>
      <Link href={`/endpoints/${name}?tab=settings#payloads`}>{t("change")}</Link>
    </span>
  );
}

function Nothing({
  name,
  filtered,
  onClear,
}: {
  name: string;
  filtered: boolean;
  onClear: () => void;
}) {
  const t = useTranslations("traffic.requests");
  if (filtered) {
    return (
      <p className="flex flex-wrap gap-x-3">
        <span className="text-muted">{t("noneSuch")}</span>
        <button type="button" className="text-accent hover:underline" onClick={onClear}>
          {t("clear")}
        </button>
      </p>
    );
  }
  return (
    <p className="flex flex-wrap gap-x-3">
      <span className="text-muted">{t("none")}</span>
      <Link href={`/endpoints/${name}`}>{t("try")}</Link>
    </p>
  );
}

function Requests({
  name,
  items,
  at,
}: {
  name: string;
  items: readonly RequestRecord[];
  at: string | null;
}) {
  const t = useTranslations("traffic.requests");
  return (
    <table className="table list">
      <caption className="sr-only">{t("caption", { name })}</caption>
      <thead>
        <tr>
          <th scope="col">{t("status")}</th>
          <th scope="col">{t("time")}</th>
          <th scope="col" className="num">
            {t("latency")}
          </th>
          <th scope="col" className="num">
            {t("rows")}
          </th>
          <th scope="col" className="num">
            {t("revision")}
          </th>
          <th scope="col">{t("board")}</th>
          <th scope="col">{t("id")}</th>
          <th scope="col">{t("replay")}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Request key={item.id} name={name} item={item} isMarked={item.id === at} />
        ))}
      </tbody>
    </table>
  );
}

function Request({
  name,
  item,
  isMarked,
}: {
  name: string;
  item: RequestRecord;
  isMarked: boolean;
}) {
  const t = useTranslations("traffic.requests");
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: "center" });
  }, [isMarked]);
  const tone = item.status < 400 ? "text-ok" : item.status < 500 ? "text-warn" : "text-bad";
  return (
    <tr ref={row} id={item.id} aria-selected={isMarked}>
      <td className="list-title">
        <span className={`font-strong ${tone}`}>{item.status}</span>{" "}
        <span className="text-dense text-muted">{t(item.protocol)}</span>
        {item.reason === null ? null : (
          <span className="block max-w-80 text-dense break-words">
            <code>{item.reason}</code> {item.message}
          </span>
        )}
      </td>
      <td className="list-line text-dense" data-label={t("time")}>
        <Link href={`/endpoints/${name}?tab=requests&at=${item.id}`} scroll={false}>
          <Age time={item.at} />
        </Link>
      </td>
      <td className="list-line num" data-label={t("latency")}>
        {formatNs(item.latencyMs * 1e6)}
      </td>
      <td className="list-line num" data-label={t("rows")}>
        {item.rows === 0 ? "–" : formatCount(item.rows)}
      </td>
      <td className="list-line num" data-label={t("revision")}>
        {item.revision === 0 ? "–" : item.revision}
      </td>
      <td className="list-line text-dense" data-label={t("board")}>
        {item.boardId === null ? "–" : <Link href={`/boards#${item.boardId}`}>{item.board}</Link>}
      </td>
      <td className="list-line" data-label={t("id")}>
        <code className="inline-block max-w-40 truncate align-bottom" title={item.requestId}>
          {item.requestId === "" ? "–" : item.requestId}
        </code>
      </td>
      <td className="list-line text-dense" data-label={t("replay")}>
        {item.hasBody ? (
          <Link href={`/endpoints/${name}?request=${item.id}`}>{t("openInTry")}</Link>
        ) : (
          <span className="text-muted">{t("noBody")}</span>
        )}
      </td>
    </tr>
  );
}
