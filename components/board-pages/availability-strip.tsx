"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useBoardAppearance } from "@/components/boards";
import { formatDuration, formatShare, Loaded, Picture, Skeleton } from "@/components/ui";
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

/** In which states a board was, as a strip. */
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
  const noted = spans.find(({ state }) => state !== null);
  const since =
    noted && noted.from !== from
      ? `${t("notedSince", { time: shortTime(noted.from, range) })} `
      : "";
  return (
    <Picture
      title={heardShare === null ? t("unnoted") : t("finding", { share: formatShare(heardShare) })}
      summary={`${since}${t("reading")}`}
      file={`availability-${range}`}
      rows={spans}
      columns={[
        {
          id: "state",
          label: t("state"),
          value: ({ state }) => state,
          show: ({ state }) => nameOf(state),
        },
        {
          id: "from",
          label: t("from"),
          value: (span) => span.from,
          show: (span) => toSecond(span.from),
        },
        { id: "to", label: t("to"), value: (span) => span.to, show: (span) => toSecond(span.to) },
        {
          id: "durationMs",
          label: t("lasted"),
          value: lengthOf,
          show: (span) => formatDuration(lengthOf(span)),
        },
      ]}
    >
      <svg
        viewBox={`0 0 1000 ${tall}`}
        preserveAspectRatio="none"
        className="block h-6 w-full border-b border-line-strong"
        aria-hidden="true"
      >
        {spans.map((span, index) =>
          span.state === null ? null : (
            <rect
              key={span.from}
              data-point={index}
              x={at(span.from)}
              y={tall - look[span.state].height}
              width={Math.max(1, at(span.to) - at(span.from))}
              height={look[span.state].height}
              fill={look[span.state].fill}
            />
          ),
        )}
      </svg>
      <div className="mt-1 flex justify-between text-label text-muted">
        <span>{shortTime(from, range)}</span>
        <span>{shortTime(to, range)}</span>
      </div>
      <Legend spans={spans} nameOf={nameOf} />
    </Picture>
  );
}

const lengthOf = ({ from, to }: Span): number => Date.parse(to) - Date.parse(from);
const toSecond = (time: string): string => time.slice(0, 19).replace("T", " ");

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
