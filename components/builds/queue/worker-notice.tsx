"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Age, ToneIcon } from "@/components/ui";
import { buildQueueQuery } from "../api";

/** Says loudly that nothing is built, since no worker is alive, and what to do; nothing while one is. */
export function WorkerNotice() {
  const t = useTranslations("builds.queue");
  const queue = useQuery(buildQueueQuery());
  if (!queue.data || queue.data.workers.length > 0) return null;
  const { waiting, lastSeenAt } = queue.data;
  return (
    <div role="alert" className="mb-6 border-l-2 border-bad py-1 pl-4">
      <p className="flex items-baseline gap-x-2 font-strong">
        <ToneIcon tone="bad" />
        {t("noWorker", { count: waiting })}
      </p>
      <p className="mt-1 max-w-[80ch] text-dense">
        {t.rich("noWorkerFix", { command: (inner) => <code>{inner}</code> })}{" "}
        {lastSeenAt ? (
          <span className="text-muted">
            {t.rich("lastSeen", { age: () => <Age time={lastSeenAt} /> })}
          </span>
        ) : null}
      </p>
    </div>
  );
}
