"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { formatDuration, useNow } from "@/components/ui";
import type { Build, BuildWait } from "@/lib/common/contract";
import { timelineQuery } from "../api";
import { PriorityChoice } from "./priority-choice";

/** Why a build waits: its place in the queue, and when it is expected to begin. Nothing for one that does not wait. */
export function WaitNote({ build }: { readonly build: Build }) {
  const timeline = useQuery(timelineQuery(build.id));
  const wait = timeline.data?.wait;
  if (!timeline.data || !wait || build.endedAt !== null) return null;
  const aheadMs = Date.parse(timeline.data.now) - timeline.dataUpdatedAt;
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-2 border-l-2 border-info py-1 pl-4">
      <Drawn wait={wait} aheadMs={aheadMs} />
      {build.state === "queued" && !build.cancelling ? <PriorityChoice build={build} /> : null}
    </div>
  );
}

/** What a build that has no place in the queue waits for. */
const titles: Partial<Record<BuildWait["reason"], "waitsForQuota" | "waitsForOwnQuota">> = {
  quota: "waitsForQuota",
  "own-quota": "waitsForOwnQuota",
};

function Drawn({ wait, aheadMs }: { readonly wait: BuildWait; readonly aheadMs: number }) {
  const t = useTranslations("builds.queue");
  const now = useNow() + aheadMs;
  const { place, reason, expectedStartAt, waiting, workers, slots, projectMost, personMost } = wait;
  const inMs = expectedStartAt === null ? null : Date.parse(expectedStartAt) - now;
  return (
    <div role="status">
      <p className="font-strong">
        {place !== null ? t("place", { place, waiting }) : t(titles[reason] ?? "waitsForEqual")}
      </p>
      <p className="mt-0.5 text-dense">
        {t(`reasons.${reason}`, {
          workers,
          slots,
          most: (reason === "own-quota" ? personMost : projectMost) ?? 0,
        })}{" "}
        {inMs === null
          ? reason === "workers-busy"
            ? t("startUnknown")
            : null
          : inMs < 1500
            ? t("startsNow")
            : t("startsIn", { time: formatDuration(inMs) })}
      </p>
    </div>
  );
}
