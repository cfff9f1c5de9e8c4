"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { buildLook, buildsQuery } from "@/components/builds";
import { ErrorNote, formatDuration, modelTitle, Skeleton, useNow } from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { median } from "./median";

const dayMs = 86_400_000;
const height = 44;

const durationOf = ({ startedAt, endedAt, createdAt }: Build, now: number) =>
  (endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt ?? createdAt);

/** The builds of a day as bars side by side: oldest left, height by duration, each a link. */
export function BuildStrip() {
  const now = useNow();
  const builds = useQuery(buildsQuery());
  if (builds.isPending) return <Skeleton lines={1} height={56} />;
  if (builds.isError) {
    return (
      <ErrorNote
        title="The builds cannot be read."
        error={builds.error}
        onRetry={() => void builds.refetch()}
      />
    );
  }
  const recent = builds.data.items
    .filter(({ createdAt }) => now - Date.parse(createdAt) < dayMs)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  if (recent.length === 0) {
    return <p className="text-muted">No build in the last 24 hours.</p>;
  }
  const longest = Math.max(1, ...recent.map((build) => durationOf(build, now)));
  const own = recent.filter(({ state, reused }) => state === "succeeded" && !reused);
  const middle = median(own.map((build) => durationOf(build, now)));
  const reused = recent.filter((build) => build.reused).length;
  const failed = recent.filter(({ state }) => state === "failed" || state === "timed_out").length;
  return (
    <>
      <div
        className="flex items-end gap-1 overflow-x-auto border-b border-line-strong"
        style={{ height: height + 4 }}
      >
        {recent.map((build) => {
          const { label, tone } = buildLook[build.state];
          const colour =
            tone === "bad"
              ? "bg-bad"
              : tone === "run" || tone === "idle"
                ? "bg-accent"
                : build.reused
                  ? "bg-info"
                  : "bg-line-strong";
          const name = build.endpointName ?? modelTitle(build.modelUrl);
          const text = `${name}: ${build.reused ? "reused" : label}, ${formatDuration(durationOf(build, now))}`;
          return (
            <Link
              key={build.id}
              href={`/builds/${build.id}`}
              title={text}
              aria-label={text}
              className="group flex h-full w-6 flex-none items-end justify-center"
            >
              <i
                className={`w-2.5 rounded-t-[1px] group-hover:w-4 ${colour}`}
                style={{ height: Math.max(4, (durationOf(build, now) / longest) * height) }}
              />
            </Link>
          );
        })}
      </div>
      <p className="mt-2 text-dense text-muted">
        {recent.length} {recent.length === 1 ? "build" : "builds"}
        {middle === null ? "" : `, median ${formatDuration(middle)}`}
        {reused > 0 ? `, ${reused} reused` : ""}
        {failed > 0 ? `, ${failed} failed` : ""}
      </p>
    </>
  );
}
