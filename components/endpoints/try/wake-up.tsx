"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ErrorNote, formatDuration, useNow } from "@/components/ui";
import type { Endpoint, EndpointState } from "@/lib/common/contract";
import { setPaused } from "../api";

/** States on the way to `ready`, in their order. */
const way = ["building", "loading", "testing", "ready"] as const;

/** States that pass into `ready` by themselves, so that a request can wait for it. */
export const willBeReady = (state: EndpointState): boolean =>
  state === "building" || state === "loading" || state === "testing" || state === "asleep";

/** A request that waits until the endpoint answers: how far that is, since when, and the way to give it up. */
export function WakeUp({
  endpoint,
  sinceMs,
  onGiveUp,
}: {
  endpoint: Endpoint;
  sinceMs: number;
  onGiveUp: () => void;
}) {
  const t = useTranslations("predictions");
  const now = useNow();
  const at = way.indexOf(endpoint.state as (typeof way)[number]);
  return (
    <div role="status" className="border-l-2 border-info py-1 pl-4">
      <p className="font-strong">{t("waiting")}</p>
      <ol className="mt-1 flex flex-wrap gap-x-4 text-dense">
        {way.map((state, index) => (
          <li
            key={state}
            aria-current={index === at ? "step" : undefined}
            className={index === at ? "font-strong" : "text-muted"}
          >
            {index < at ? "✓ " : ""}
            {t(`way.${state}`)}
          </li>
        ))}
      </ol>
      <p className="mt-1 text-dense text-muted">
        {t("waitedFor", { time: formatDuration(Math.max(0, now - sinceMs)) })}{" "}
        {endpoint.reason ?? ""}
      </p>
      <button type="button" className="btn btn-dense mt-2" onClick={onGiveUp}>
        {t("giveUp")}
      </button>
    </div>
  );
}

/** An endpoint that was paused answers nobody: the button lets callers to it again. */
export function PausedNote({ name }: { name: string }) {
  const t = useTranslations("predictions");
  const client = useQueryClient();
  const [failed, setFailed] = useState<unknown>(null);
  const resume = async () => {
    try {
      await setPaused(name, false);
      setFailed(null);
      await client.invalidateQueries({ queryKey: ["endpoints"] });
    } catch (error) {
      setFailed(error);
    }
  };
  return (
    <div role="status" className="border-l-2 border-info py-1 pl-4">
      <p>{t("paused")}</p>
      <button type="button" className="btn btn-dense mt-2" onClick={() => void resume()}>
        {t("resume")}
      </button>
      {failed === null ? null : <ErrorNote title={t("notResumed")} error={failed} />}
    </div>
  );
}
