"use client";

import { useTranslations } from "next-intl";
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
