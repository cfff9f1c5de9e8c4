"use client";

import { useTranslations } from "next-intl";
import { ErrorNote } from "@/components/ui";

export default function ErrorPage({ error, reset }: { error: Error; reset: () => void }) {
  const t = useTranslations("shell.broken");
  return (
    <>
      <h1 className="mb-4">{t("title")}</h1>
      <ErrorNote title={t("text")} error={error} onRetry={reset} />
    </>
  );
}
