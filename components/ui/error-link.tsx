"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import type { AppError } from "@/lib/common/errors";
import { CopyButton } from "./copy-button";

/** What belongs below every error: its details to copy, its reason, the page about it, and the request it belongs to. */
export function ErrorLink({ error, title }: { error: AppError; title: string }) {
  const t = useTranslations("ui.error");
  const { code, reason, message, hint, requestId } = error;
  const details = [title, message, hint, `${code} ${reason}`, requestId && `request ${requestId}`];
  return (
    <>
      <CopyButton text={details.filter(Boolean).join("\n")}>{t("copyDetails")}</CopyButton>
      <Link href={`/errors/${reason}`} className="inline-flex min-h-6 items-center">
        {t("about")}
      </Link>
      <code className="text-muted">{reason}</code>
      {requestId && reason === "INTERNAL" ? (
        <span className="flex items-center gap-1 text-dense text-muted">
          {t("request")} <code className="break-all">{requestId}</code>
          <CopyButton text={requestId} label={t("copyRequest")} />
        </span>
      ) : null}
    </>
  );
}
