"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useWhen } from "@/components/ui";
import type { Lease } from "@/lib/common/contract";
import { useWho } from "./use-who";

const daysShown = 7;
const dayMs = 24 * 3600 * 1000;

/** When a board is whose, over a week: as a picture, or as a list that says the same. */
export function LeaseCalendar({ leases }: { leases: readonly Lease[] }) {
  const t = useTranslations("leases");
  const [isList, setList] = useState(false);
  if (leases.length === 0) return <p className="text-muted">{t("calendarNone")}</p>;
  return (
    <div>
      <fieldset className="mb-3 flex gap-2" aria-label={t("view")}>
        {[false, true].map((list) => (
          <button
            key={String(list)}
            type="button"
            className="btn btn-dense"
            aria-pressed={list === isList}
            onClick={() => setList(list)}
          >
            {list ? t("list") : t("week")}
          </button>
        ))}
      </fieldset>
      {isList ? <List leases={leases} /> : <Week leases={leases} />}
    </div>
  );
}

function Week({ leases }: { leases: readonly Lease[] }) {
  const t = useTranslations("leases");
  const locale = useLocale();
  const who = useWho();
  const when = useWhen();
  const today = new Date();
  today.setHours(0, 0, 0, 0);
  const days = Array.from({ length: daysShown }, (_, index) => {
    const day = new Date(today);
    day.setDate(today.getDate() + index);
    return day;
  });
  return (
    <div>
      <ul className="grid gap-1">
        {days.map((day) => {
          const start = day.getTime();
          const shown = leases.filter(
            ({ startsAt, endsAt }) =>
              Date.parse(startsAt) < start + dayMs && Date.parse(endsAt) > start,
          );
          const name = day.toLocaleDateString(locale === "en" ? "en-GB" : locale, {
            weekday: "short",
            day: "numeric",
            month: "short",
          });
          const words = shown.map((lease) =>
            t("from", { who: who(lease), from: when(lease.startsAt), to: when(lease.endsAt) }),
          );
          return (
            <li key={start} className="grid grid-cols-[96px_minmax(0,1fr)] items-center gap-3">
              <span className="text-dense text-muted">{name}</span>
              <svg
                viewBox="0 0 1440 24"
                preserveAspectRatio="none"
                className="block h-6 w-full bg-sunken"
                role="img"
                aria-label={
                  words.length > 0 ? `${name}: ${words.join("; ")}` : t("freeDay", { day: name })
                }
              >
                {[6, 12, 18].map((hour) => (
                  <line
                    key={hour}
                    x1={hour * 60}
                    x2={hour * 60}
                    y1={0}
                    y2={24}
                    stroke="var(--line)"
                    vectorEffect="non-scaling-stroke"
                  />
                ))}
                {shown.map((lease, index) => {
                  const from = Math.max(0, (Date.parse(lease.startsAt) - start) / 60_000);
                  const to = Math.min(1440, (Date.parse(lease.endsAt) - start) / 60_000);
                  return (
                    <rect
                      key={lease.startsAt}
                      x={from}
                      y={lease.isMine ? 2 : 6}
                      width={Math.max(4, to - from)}
                      height={lease.isMine ? 20 : 12}
                      fill={lease.isMine ? "var(--accent)" : "var(--info)"}
                    >
                      <title>{words[index]}</title>
                    </rect>
                  );
                })}
              </svg>
            </li>
          );
        })}
      </ul>
      <div
        className="mt-1 grid grid-cols-[96px_minmax(0,1fr)] gap-3 text-label text-muted"
        aria-hidden="true"
      >
        <span />
        <span className="flex justify-between">
          {["00", "06", "12", "18", "24"].map((hour) => (
            <span key={hour}>{hour}</span>
          ))}
        </span>
      </div>
    </div>
  );
}

function List({ leases }: { leases: readonly Lease[] }) {
  const t = useTranslations("leases");
  const who = useWho();
  const when = useWhen();
  return (
    <ul className="border-t border-line text-dense">
      {leases.map((lease) => (
        <li
          key={`${lease.boardId} ${lease.startsAt}`}
          className="flex flex-wrap gap-x-3 border-b border-line py-2"
        >
          <span className="break-words">
            {t("from", { who: who(lease), from: when(lease.startsAt), to: when(lease.endsAt) })}
          </span>
          <span className="text-muted">{t(`states.${lease.state}`)}</span>
          {lease.purpose ? <span className="break-words text-muted">{lease.purpose}</span> : null}
        </li>
      ))}
    </ul>
  );
}
