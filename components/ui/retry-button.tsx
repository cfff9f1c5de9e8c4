"use client";

import { useTranslations } from "next-intl";
import { type AppError, canRetry } from "@/lib/common/errors";

/** A way to try again, where that can come out otherwise; nothing where the same would only come back. */
export function RetryButton({ error, onRetry }: { error: AppError; onRetry: () => void }) {
  const t = useTranslations("ui.error");
  if (!canRetry(error)) return null;
  return (
    <button type="button" className="btn btn-dense" onClick={onRetry}>
      {t("retry")}
    </button>
  );
}
