"use client";

import { formatAge } from "./format";
import { useNow } from "./now";

/** A moment as its age; the exact time on hover and focus. */
export function Age({ time }: { time: string }) {
  const now = useNow();
  return (
    <time dateTime={time} title={time} className="whitespace-nowrap">
      {now === 0 ? time.slice(0, 16).replace("T", " ") : formatAge(Date.parse(time), now)}
    </time>
  );
}
