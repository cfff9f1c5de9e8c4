"use client";

import { useLocale, useTranslations } from "next-intl";
import { useCallback } from "react";
import type { Lease, LeaseWait } from "@/lib/common/contract";

/** Who has a board, or waits for it, as far as the project may know. */
export function useWho(): (who: Pick<Lease | LeaseWait, "isOurs" | "isMine" | "person">) => string {
  const t = useTranslations("leases");
  return useCallback(
    ({ isOurs, isMine, person }) =>
      isMine ? t("you") : isOurs ? (person ?? t("somebody")) : t("otherProject"),
    [t],
  );
}

/** A time as people of this place say it: of today without the day. */
export function useWhen(): (time: string) => string {
  const locale = useLocale();
  return useCallback(
    (time) => {
      const date = new Date(time);
      const isToday = date.toDateString() === new Date().toDateString();
      return date.toLocaleString(locale, {
        ...(isToday ? {} : ({ weekday: "short", day: "numeric", month: "short" } as const)),
        hour: "2-digit",
        minute: "2-digit",
      });
    },
    [locale],
  );
}
