"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { BuildState, buildOverviewQuery } from "@/components/builds";
import {
  Age,
  formatCount,
  formatDuration,
  Loaded,
  modelTitle,
  Picture,
  Skeleton,
} from "@/components/ui";
import type { Build, BuildCounts, BuildOverview } from "@/lib/common/contract";

/** From the bottom of a column to its top. */
const kinds = [
  { id: "succeeded", colour: "bg-line-strong" },
  { id: "reused", colour: "bg-info" },
  { id: "underWay", colour: "bg-accent" },
  { id: "cancelled", colour: "border border-line-strong" },
  { id: "failed", colour: "bg-bad" },
] as const satisfies readonly { id: keyof BuildCounts; colour: string }[];

/** Columns of an hour each; the hours that are written below them. */
const marks = [
  { at: "left-0", key: "hoursAgo", hours: 24 },
  { at: "left-1/4", key: "hours", hours: 18 },
  { at: "left-1/2", key: "hours", hours: 12 },
  { at: "left-3/4", key: "hours", hours: 6 },
  { at: "right-0", key: "now", hours: 0 },
] as const;

const sumOf = (counts: BuildCounts) => kinds.reduce((sum, { id }) => sum + counts[id], 0);
/** The builds of a day, hour by hour over a time axis, as the server counted them; below, the newest ones. */
export function BuildStrip() {
  const t = useTranslations("home.strip");
  return (
    <Loaded
      query={useQuery(buildOverviewQuery())}
      loading={<Skeleton lines={1} height={56} />}
      failure={t("unreadable")}
    >
      {(overview) => <Overview overview={overview} />}
    </Loaded>
  );
}

function Overview({ overview: { hours, medianMs, newest } }: { overview: BuildOverview }) {
  const t = useTranslations("home.strip");
  const total = hours.reduce((sum, counts) => sum + sumOf(counts), 0);
  if (total === 0) return <p className="text-muted">{t("none")}</p>;
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
  const t = useTranslations("home.strip");
  return (
    <p className="mb-2 flex flex-wrap gap-x-4 text-dense text-muted">
      <span>
        {medianMs === null
          ? t("total", { count: total, shown: formatCount(total) })
          : t("totalMedian", {
              count: total,
              shown: formatCount(total),
              median: formatDuration(medianMs),
            })}
      </span>
      {kinds.map(({ id, colour }) => {
        const count = hours.reduce((sum, counts) => sum + counts[id], 0);
        return count === 0 ? null : (
          <span key={id} className="whitespace-nowrap">
            <i
              aria-hidden="true"
              className={`mr-1.5 inline-block size-2.5 rounded-[1px] ${colour}`}
            />
            {t(`kinds.${id}`, { count: formatCount(count) })}
          </span>
        );
      })}
    </p>
  );
}

function Columns({ hours }: Pick<BuildOverview, "hours">) {
  const t = useTranslations("home.strip");
  const most = Math.max(1, ...hours.map(sumOf));
  const rows = hours.map((counts, index) => ({ ...counts, hoursAgo: hours.length - index }));
  const totals = kinds.map(({ id }) => ({
    id,
    count: hours.reduce((sum, counts) => sum + counts[id], 0),
  }));
  const total = totals.reduce((sum, { count }) => sum + count, 0);
  const [busiest] = totals.toSorted((a, b) => b.count - a.count);
  return (
    <Picture
      title={t("finding", {
        count: total,
        shown: formatCount(total),
        busiest: t(`heads.${busiest?.id ?? "succeeded"}`),
      })}
      summary={t("chart")}
      file="builds-of-a-day"
      rows={rows}
      columns={[
        {
          id: "hoursAgo",
          label: t("when"),
          value: ({ hoursAgo }) => hoursAgo,
          show: ({ hoursAgo }) => t("column", { from: hoursAgo - 1, to: hoursAgo }),
        },
        ...kinds.map(({ id }) => ({
          id,
          label: t(`heads.${id}`),
          value: (row: BuildCounts) => row[id],
        })),
      ]}
    >
      <ol className="flex h-14 items-stretch border-b border-line-strong">
        {rows.map((counts, index) => (
          <li
            key={counts.hoursAgo}
            data-point={index}
            className="flex flex-1 flex-col-reverse px-px hover:bg-sunken"
          >
            {kinds.map(({ id, colour }) =>
              counts[id] === 0 ? null : (
                <i
                  key={id}
                  className={`mx-auto w-full max-w-6 min-h-[3px] ${colour}`}
                  style={{ height: `${(counts[id] / most) * 100}%` }}
                />
              ),
            )}
          </li>
        ))}
      </ol>
      <div className="relative mt-1 h-4 text-label text-muted">
        {marks.map(({ at, key, hours: ago }) => (
          <span key={at} className={`absolute ${at}`}>
            {t(key, { hours: ago })}
          </span>
        ))}
      </div>
    </Picture>
  );
}

function Newest({ build }: { build: Build }) {
  const t = useTranslations("home.strip");
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-1.5 text-dense">
      <Link className="min-w-0 flex-1 truncate" href={`/builds/${build.id}`}>
        {build.endpointName ?? modelTitle(build.modelUrl, build.modelName)}
      </Link>
      <BuildState build={build} label={build.reused ? t("reused") : undefined} />
      <span className="w-16 text-right text-muted">
        <Age time={build.createdAt} />
      </span>
    </li>
  );
}
