"use client";

import { useLocale } from "next-intl";
import { useCallback } from "react";

/** Says a time as people of this place do, to the minute: of today without the day. Browsers only: servers are elsewhere. */
export function useWhen(): (time: string) => string {
  const locale = useLocale();
  return useCallback(
    (time) => {
      const date = new Date(time);
      const isToday = date.toDateString() === new Date().toDateString();
      return date.toLocaleString(locale === "en" ? "en-GB" : locale, {
        ...(isToday ? {} : ({ weekday: "short", day: "numeric", month: "short" } as const)),
        hour: "2-digit",
        minute: "2-digit",
      });
    },
    [locale],
  );
}
