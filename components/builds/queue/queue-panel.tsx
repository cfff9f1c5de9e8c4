"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Age, ErrorNote, formatDuration, modelTitle, Skeleton, useNow } from "@/components/ui";
import type { BuildQueue, QueuedBuild } from "@/lib/common/contract";
import { buildQueueQuery } from "../api";
import { PanelHeading } from "./panel-heading";

/** Build workers that are alive, what they do, and who waits for what. */
export function QueuePanel() {
  const t = useTranslations("builds.queue");
  const queue = useQuery(buildQueueQuery());
  return (
    <section aria-labelledby="queue" className="min-w-0">
      <div className="mb-1">
        <PanelHeading id="queue" title={t("title")} />
      </div>
      {queue.isPending ? <Skeleton lines={3} height={20} /> : null}
      {queue.isError ? (
        <ErrorNote
          title={t("unreadable")}
          error={queue.error}
          onRetry={() => void queue.refetch()}
        />
      ) : null}
      {queue.data ? <Drawn queue={queue.data} /> : null}
    </section>
  );
}

function Drawn({ queue: { workers, waiting, next } }: { readonly queue: BuildQueue }) {
  const t = useTranslations("builds.queue");
  return (
    <>
      <p className="text-dense">{t("alive", { count: workers.length })}</p>
      <ul className="text-dense text-muted">
        {workers.map(({ name, host, running, slots, seenAt }) => (
          <li key={name}>
            {t("worker", { host, running, slots })} <Age time={seenAt} />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-dense">{t("waiting", { count: waiting })}</p>
      <ol className="text-dense">
        {next.map((build) => (
          <Waiting key={build.id} build={build} />
        ))}
      </ol>
      {waiting > next.length && next.length > 0 ? (
        <p className="text-dense text-muted">{t("more", { count: waiting - next.length })}</p>
      ) : null}
    </>
  );
}

function Waiting({ build }: { readonly build: QueuedBuild }) {
  const { id, endpointName, modelUrl, modelName, priority, wait } = build;
  const t = useTranslations("builds.queue");
  const now = useNow();
  const inMs = wait.expectedStartAt === null ? null : Date.parse(wait.expectedStartAt) - now;
  return (
    <li className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-muted">{wait.place}</span>
      <Link href={`/builds/${id}`} className="min-w-0 truncate">
        {endpointName ?? modelTitle(modelUrl, modelName)}
      </Link>
      <span className="text-muted">
        {priority === "normal" ? null : `${t(`priorities.${priority}`)}, `}
        {t(`short.${wait.reason}`)}
        {inMs === null ? null : `, ${t("inTime", { time: formatDuration(Math.max(0, inMs)) })}`}
      </span>
    </li>
  );
}
