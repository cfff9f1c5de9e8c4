"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { Age, formatNs, StateMark } from "@/components/ui";
import { Scroller } from "../answer/scroller";
import { type HistoryEntry, historyLimit } from "./history-entry";
import type { RequestHistory } from "./use-history";

/** What was sent before, the newest first: each can be opened again, pinned and linked to. */
export function HistoryPanel({
  endpoint,
  history,
  onOpen,
}: {
  endpoint: string;
  history: RequestHistory;
  onOpen: (id: string) => void;
}) {
  const t = useTranslations("predictions");
  const { entries } = history;
  const sorted = [
    ...entries.filter(({ pinned }) => pinned),
    ...entries.filter(({ pinned }) => !pinned),
  ];
  return (
    <details className="mt-10 border-t border-line pt-3">
      <summary className="min-h-6 cursor-pointer">
        <h2 className="inline">{t("history", { count: entries.length })}</h2>
      </summary>
      <p className="mt-1 max-w-[68ch] text-dense text-muted">
        {t("historyNote", { limit: historyLimit })}
      </p>
      {entries.length === 0 ? <p className="mt-3">{t("historyEmpty")}</p> : null}
      {entries.length > 0 ? (
        <>
          <Scroller label={t("historyCaption")} className="mt-2 max-h-[420px]">
            <table className="table list text-dense">
              <caption className="sr-only">{t("historyCaption")}</caption>
              <thead>
                <tr>
                  <th>{t("sentAt")}</th>
                  <th>{t("status")}</th>
                  <th>{t("answered")}</th>
                  <th>{t("protocol")}</th>
                  <th className="num">{t("time")}</th>
                  <th>
                    <span className="sr-only">{t("actions")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {sorted.map((entry) => (
                  <HistoryRow key={entry.id} {...{ endpoint, entry, history, onOpen }} />
                ))}
              </tbody>
            </table>
          </Scroller>
          <button type="button" className="btn btn-dense mt-2" onClick={history.clear}>
            {t("historyClear")}
          </button>
        </>
      ) : null}
    </details>
  );
}

function HistoryRow({
  endpoint,
  entry: { id, at, status, words, protocol, revision, totalNs, text, pinned },
  history,
  onOpen,
}: {
  endpoint: string;
  entry: HistoryEntry;
  history: RequestHistory;
  onOpen: (id: string) => void;
}) {
  const t = useTranslations("predictions");
  const when = new Date(at).toISOString();
  const href = `/endpoints/${encodeURIComponent(endpoint)}?request=${encodeURIComponent(id)}`;
  return (
    <tr>
      <td className="list-title">
        {text === null ? (
          <span title={t("tooLongToKeep")}>
            <Age time={when} />
          </span>
        ) : (
          <Link
            href={href}
            scroll={false}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              onOpen(id);
            }}
          >
            <Age time={when} />
          </Link>
        )}
      </td>
      <td className="list-line" data-label={t("status")}>
        <StateMark
          appearance={{
            tone: status > 0 && status < 400 ? "ok" : "bad",
            label: status === 0 ? t("noStatus") : String(status),
            why: "",
          }}
        />
      </td>
      <td className="list-line max-w-60 truncate" data-label={t("answered")}>
        {words}
      </td>
      <td className="list-line whitespace-nowrap" data-label={t("protocol")}>
        {t(`protocols.${protocol}`)}
        {revision === null ? "" : `, ${t("revisionShort", { revision })}`}
      </td>
      <td className="num list-line" data-label={t("time")}>
        {totalNs === null ? "–" : formatNs(totalNs)}
      </td>
      <td className="list-state whitespace-nowrap">
        <button
          type="button"
          className="btn btn-quiet btn-dense"
          aria-pressed={pinned}
          onClick={() => history.setPinned(id, !pinned)}
        >
          {pinned ? t("unpin") : t("pin")}
        </button>
        <button
          type="button"
          className="btn btn-quiet btn-dense"
          aria-label={t("forget")}
          onClick={() => history.remove(id)}
        >
          ✕
        </button>
      </td>
    </tr>
  );
}
