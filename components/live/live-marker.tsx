"use client";

import { formatAge, useNow } from "@/components/ui";
import { useLiveState, useLiveStream } from "./live-provider";

/** Whether what is shown is live; stale says since when. */
export function LiveMarker() {
  const state = useLiveState();
  const stream = useLiveStream();
  const now = useNow();
  const text = {
    connecting: "Connecting",
    live: "Live",
    reconnecting: "Reconnecting",
    stale:
      stream.lastMessageAt === 0
        ? "Stale"
        : `Stale, last heard ${formatAge(stream.lastMessageAt, now)}`,
  }[state];
  const dot = {
    connecting: "bg-line-strong",
    live: "bg-ok",
    reconnecting: "bg-warn",
    stale: "bg-bad",
  };
  return (
    <span
      role="status"
      className="flex items-center gap-2 text-dense whitespace-nowrap text-muted"
      title={
        state === "live"
          ? "Changes appear by themselves"
          : "Changes are asked for every few seconds until the stream is back"
      }
    >
      <i aria-hidden="true" className={`size-[7px] rounded-full ${dot[state]}`} />
      <span className="max-tablet:sr-only">{text}</span>
    </span>
  );
}
