"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useBoardAppearance } from "@/components/boards";
import { formatDuration, formatShare, Loaded, Skeleton } from "@/components/ui";
import type { BoardAvailability, BoardState } from "@/lib/common/contract";
import { boardAvailabilityQuery } from "./api";

type Span = BoardAvailability["spans"][number];

/** Colours tell what matters; heights tell the same without them. */
const look = {
  free: { fill: "var(--line-strong)", height: 10 },
  leased: { fill: "var(--info)", height: 14 },
  programming: { fill: "var(--accent)", height: 16 },
  serving: { fill: "var(--ok)", height: 22 },
  degraded: { fill: "var(--warn)", height: 16 },
  offline: { fill: "var(--bad)", height: 5 },
} as const satisfies Record<BoardState, { readonly fill: string; readonly height: number }>;
const tall = 24;

/** In which states a board was, as a strip whose title says what it shows, with the same as a table. */
export function AvailabilityStrip({
  id,
  range,
}: {
  id: string;
  range: BoardAvailability["range"];
}) {
  const t = useTranslations("boards.history");
  return (
    <Loaded
      query={useQuery(boardAvailabilityQuery(id, range))}
      loading={<Skeleton lines={1} height={60} />}
      failure={t("availabilityUnreadable")}
    >
      {(availability) => <Strip availability={availability} />}
    </Loaded>
  );
}

function Strip({ availability }: { availability: BoardAvailability }) {
  const t = useTranslations("boards.history");
  const appearance = useBoardAppearance();
  const { spans, from, to, heardShare, range } = availability;
  const begin = Date.parse(from);
  const length = Math.max(1, Date.parse(to) - begin);
  const at = (time: string) => ((Date.parse(time) - begin) / length) * 1000;
  const nameOf = (state: Span["state"]) => (state ? appearance[state].label : t("noted"));
  const words = (span: Span) =>
    t("spanWords", {
      state: nameOf(span.state),
      from: shortTime(span.from, range),
      to: shortTime(span.to, range),
    });
  const noted = spans.find(({ state }) => state !== null);
  return (
    <figure>
      <figcaption className="mb-2">
        {heardShare === null ? t("unnoted") : t("finding", { share: formatShare(heardShare) })}
        {noted && noted.from !== from ? (
          <span className="block text-dense text-muted">
            {t("notedSince", { time: shortTime(noted.from, range) })}
          </span>
        ) : null}
      </figcaption>
      <svg
        viewBox={`0 0 1000 ${tall}`}
        preserveAspectRatio="none"
        className="block h-6 w-full border-b border-line-strong"
        aria-hidden="true"
      >
        {spans.map((span) =>
          span.state === null ? null : (
            <rect
              key={span.from}
              x={at(span.from)}
              y={tall - look[span.state].height}
              width={Math.max(1, at(span.to) - at(span.from))}
              height={look[span.state].height}
              fill={look[span.state].fill}
            >
              <title>{words(span)}</title>
            </rect>
          ),
        )}
      </svg>
      <div className="mt-1 flex justify-between text-label text-muted" aria-hidden="true">
        <span>{shortTime(from, range)}</span>
        <span>{shortTime(to, range)}</span>
      </div>
      <Legend spans={spans} nameOf={nameOf} />
      <SpanTable spans={spans} nameOf={nameOf} />
    </figure>
  );
}

const shortTime = (time: string, range: BoardAvailability["range"]): string => {
  const text = time.slice(0, 16).replace("T", " ");
  return range === "24h" ? text : text.slice(0, 10);
};

function Legend({
  spans,
  nameOf,
}: {
  spans: readonly Span[];
  nameOf: (state: Span["state"]) => string;
}) {
  const states = [...new Set(spans.flatMap(({ state }) => state ?? []))];
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-dense">
      {states.map((state) => (
        <li key={state} className="flex items-end gap-1.5">
          <i
            aria-hidden="true"
            className="block w-2.5 flex-none"
            style={{ height: look[state].height * 0.7, background: look[state].fill }}
          />
          {nameOf(state)}
        </li>
      ))}
    </ul>
  );
}

/** So many spans a table shows, the newest of them. */
const mostRows = 100;

function SpanTable({
  spans,
  nameOf,
}: {
  spans: readonly Span[];
  nameOf: (state: Span["state"]) => string;
}) {
  const t = useTranslations("boards.history");
  return (
    <details className="mt-2">
      <summary className="cursor-pointer py-1 text-dense text-muted hover:text-text">
        {t("table")}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="max-h-72 overflow-auto" aria-label={t("table")} tabIndex={0}>
        <table className="table text-dense">
          <thead>
            <tr>
              <th scope="col">{t("state")}</th>
              <th scope="col">{t("from")}</th>
              <th scope="col">{t("to")}</th>
              <th scope="col" className="num">
                {t("lasted")}
              </th>
            </tr>
          </thead>
          <tbody>
            {spans
              .slice(-mostRows)
              .toReversed()
              .map((span) => (
                <tr key={span.from}>
                  <td>{nameOf(span.state)}</td>
                  <td>{span.from.slice(0, 19).replace("T", " ")}</td>
                  <td>{span.to.slice(0, 19).replace("T", " ")}</td>
                  <td className="num">
                    {formatDuration(Date.parse(span.to) - Date.parse(span.from))}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
