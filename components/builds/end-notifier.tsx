"use client";

import { useQueries } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { modelTitle } from "@/components/ui";
import { type Build, finalBuildStates } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { buildQuery } from "./api";
import { useWatchedBuilds, watchBuild } from "./watched-builds";

const lookMs = 5000;

/** Tells by the browser that builds have ended whose end somebody asked to be told of, on whichever page they are by then. */
export function EndNotifier() {
  const t = useTranslations("builds.notify");
  const ids = useWatchedBuilds();
  const builds = useQueries({
    queries: ids.map((id) => ({
      ...buildQuery(id),
      // A hidden tab has let go of its stream, and is the very one that is to tell.
      refetchInterval: lookMs,
      refetchIntervalInBackground: true,
    })),
  });
  useEffect(() => {
    for (const [index, { data, error }] of builds.entries()) {
      const isUnknown = isAppError(error) && error.code === "not_found";
      const hasEnded = data !== undefined && finalBuildStates.has(data.state);
      if (!isUnknown && !hasEnded) continue;
      watchBuild(ids[index] ?? "", false);
      if (data && hasEnded)
        tell(data, t("title", { name: nameOf(data), state: t(`states.${endOf(data)}`) }));
    }
  });
  return null;
}

const nameOf = ({ endpointName, modelUrl, modelName }: Build) =>
  endpointName ?? modelTitle(modelUrl, modelName);

const endOf = ({ state }: Build) =>
  state === "succeeded" || state === "cancelled" || state === "timed_out" ? state : "failed";

function tell({ id, problem }: Build, title: string): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  // Several tabs tell the same: a tag makes it one.
  const notification = new Notification(title, { body: problem?.message ?? "", tag: id });
  notification.onclick = () => {
    window.focus();
    window.location.assign(`/builds/${id}`);
  };
}
