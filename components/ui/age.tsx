"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { ageOf } from "./format";
import { useNow } from "./now";

/** A moment as its age; the exact time on hover and focus. */
export function Age({ time }: { time: string }) {
  const now = useNow();
  const ageWords = useAgeWords();
  return (
    <time dateTime={time} title={time} className="whitespace-nowrap">
      {now === 0 ? time.slice(0, 16).replace("T", " ") : ageWords(Date.parse(time), now)}
    </time>
  );
}

/** Says how long ago something was, in the reader's language; both times in milliseconds of the epoch. */
export function useAgeWords(): (fromMs: number, nowMs: number) => string {
  const t = useTranslations("ui.age");
  return useCallback(
    (fromMs, nowMs) => {
      const { unit, count } = ageOf(fromMs, nowMs);
      return t(unit, { count });
    },
    [t],
  );
}
