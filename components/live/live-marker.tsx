"use client";

import { useTranslations } from "next-intl";
import { useAgeWords, useNow } from "@/components/ui";
import { useLiveState, useLiveStream } from "./live-provider";

/** Whether what is shown is live; stale says since when. */
export function LiveMarker() {
  const t = useTranslations("shell.live");
  const state = useLiveState();
  const stream = useLiveStream();
  const now = useNow();
  const ageWords = useAgeWords();
  const text =
    state === "stale" && stream.lastMessageAt !== 0
      ? t("staleSince", { age: ageWords(stream.lastMessageAt, now) })
      : t(state);
  const dot = {
    connecting: "bg-line-strong",
    live: "bg-ok",
    reconnecting: "bg-warn",
    stale: "bg-bad",
  };
  return (
    <span
      role="status"
      data-live={state}
      className="flex items-center gap-2 text-dense whitespace-nowrap text-muted"
      title={t(state === "live" ? "liveHint" : "pollingHint")}
    >
      <i aria-hidden="true" className={`size-[7px] rounded-full ${dot[state]}`} />
      <span className="max-tablet:sr-only">{text}</span>
    </span>
  );
}
