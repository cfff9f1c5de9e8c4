"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { buildAppearance, buildOverviewQuery } from "@/components/builds";
import {
  Age,
  formatCount,
  formatDuration,
  Loaded,
  modelTitle,
  Skeleton,
  StateMark,
} from "@/components/ui";
import type { Build, BuildCounts, BuildOverview } from "@/lib/common/contract";

/** From the bottom of a column to its top. */
const kinds = [
  { id: "succeeded", word: "built", colour: "bg-line-strong" },
  { id: "reused", word: "reused", colour: "bg-info" },
  { id: "underWay", word: "under way", colour: "bg-accent" },
  { id: "cancelled", word: "cancelled", colour: "border border-line-strong" },
  { id: "failed", word: "failed", colour: "bg-bad" },
] as const satisfies readonly { id: keyof BuildCounts; word: string; colour: string }[];

/** Columns of an hour each; the hours that are written below them. */
const marks = [
  { at: "left-0", text: "24 h ago" },
  { at: "left-1/4", text: "18 h" },
  { at: "left-1/2", text: "12 h" },
  { at: "left-3/4", text: "6 h" },
  { at: "right-0", text: "now" },
] as const;

const sumOf = (counts: BuildCounts) => kinds.reduce((sum, { id }) => sum + counts[id], 0);
const inWords = (counts: BuildCounts) =>
  kinds
    .filter(({ id }) => counts[id] > 0)
    .map(({ id, word }) => `${formatCount(counts[id])} ${word}`)
    .join(", ");

/** The builds of a day, hour by hour over a time axis, as the server counted them; below, the newest ones. */
export function BuildStrip() {
  return (
    <Loaded
      query={useQuery(buildOverviewQuery())}
      loading={<Skeleton lines={1} height={56} />}
      failure="The builds cannot be read."
    >
      {(overview) => <Overview overview={overview} />}
    </Loaded>
  );
}

function Overview({ overview: { hours, medianMs, newest } }: { overview: BuildOverview }) {
  const total = hours.reduce((sum, counts) => sum + sumOf(counts), 0);
  if (total === 0) return <p className="text-muted">No build in the last 24 hours.</p>;
  return (
    <>
      <Totals hours={hours} total={total} medianMs={medianMs} />
      <Columns hours={hours} />
      <ul className="mt-4 border-t border-line">
        {newest.map((build) => (
          <Newest key={build.id} build={build} />
        ))}
      </ul>
    </>
  );
}

function Totals({
  hours,
  total,
  medianMs,
}: Pick<BuildOverview, "hours" | "medianMs"> & { total: number }) {
  return (
    <p className="mb-2 flex flex-wrap gap-x-4 text-dense text-muted">
      <span>
        {formatCount(total)} {total === 1 ? "build" : "builds"}
        {medianMs === null ? "" : `, median ${formatDuration(medianMs)}`}
      </span>
      {kinds.map(({ id, word, colour }) => {
        const count = hours.reduce((sum, counts) => sum + counts[id], 0);
        return count === 0 ? null : (
          <span key={id} className="whitespace-nowrap">
            <i
              aria-hidden="true"
              className={`mr-1.5 inline-block size-2.5 rounded-[1px] ${colour}`}
            />
            {formatCount(count)} {word}
          </span>
        );
      })}
    </p>
  );
}

function Columns({ hours }: Pick<BuildOverview, "hours">) {
  const most = Math.max(1, ...hours.map(sumOf));
  return (
    <figure>
      <ol
        aria-label="Builds by the hour in which they were asked for"
        className="flex h-14 items-stretch border-b border-line-strong"
      >
        {hours.map((counts, index) => {
          const ago = hours.length - index;
          const when = ago === 1 ? "the last hour" : `${ago - 1} to ${ago} h ago`;
          const text = `${when}: ${inWords(counts) || "none"}`;
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its hour
              key={index}
              title={text}
              className="flex flex-1 flex-col-reverse px-px hover:bg-sunken"
            >
              <span className="sr-only">{text}</span>
              {kinds.map(({ id, colour }) =>
                counts[id] === 0 ? null : (
                  <i
                    key={id}
                    aria-hidden="true"
                    className={`mx-auto w-full max-w-6 min-h-[3px] ${colour}`}
                    style={{ height: `${(counts[id] / most) * 100}%` }}
                  />
                ),
              )}
            </li>
          );
        })}
      </ol>
      <figcaption aria-hidden="true" className="relative mt-1 h-4 text-label text-muted">
        {marks.map(({ at, text }) => (
          <span key={text} className={`absolute ${at}`}>
            {text}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Newest({ build }: { build: Build }) {
  const appearance = buildAppearance[build.state];
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-1.5 text-dense">
      <Link className="min-w-0 flex-1 truncate" href={`/builds/${build.id}`}>
        {build.endpointName ?? modelTitle(build.modelUrl, build.modelName)}
      </Link>
      <StateMark appearance={appearance} label={build.reused ? "reused" : undefined} />
      <span className="w-16 text-right text-muted">
        <Age time={build.createdAt} />
      </span>
    </li>
  );
}
