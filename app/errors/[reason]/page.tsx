import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { canRetry, errorCodes, httpStatusOf, isReason, reasons } from "@/lib/common/errors";

interface ErrorPageProps {
  readonly params: Promise<{ reason: string }>;
}

export async function generateMetadata({ params }: ErrorPageProps): Promise<Metadata> {
  const { reason } = await params;
  return { title: isReason(reason) ? reason : "404" };
}

const parts = ["means", "cause", "check", "fix"] as const;

/** What one error means, what it comes from, how that is checked, and what to do about it. */
export default async function ErrorReasonPage({ params }: ErrorPageProps) {
  const { reason } = await params;
  if (!isReason(reason)) notFound();
  const t = await getTranslations("errors");
  const { code } = reasons[reason];
  const status = String(httpStatusOf({ code, reason }));
  return (
    <>
      <p className="mb-4 text-dense">
        <Link href="/errors">{t("all")}</Link>
      </p>
      <h1 className="mb-6 font-mono break-all">{reason}</h1>
      <dl className="mb-6 grid max-w-[84ch] gap-x-8 gap-y-5 tablet:grid-cols-[160px_minmax(0,1fr)]">
        {parts.map((part) => (
          <div key={part} className="contents">
            <dt className="font-strong tablet:text-right">{t(part)}</dt>
            <dd className="-mt-4 break-words tablet:mt-0">{t(`reasons.${reason}.${part}`)}</dd>
          </div>
        ))}
      </dl>
      <p className="max-w-[84ch] text-dense text-muted">
        {t(canRetry({ code, reason }) ? "retry" : "noRetry")}{" "}
        {t("status", { status, code: `${code} (${errorCodes[code].grpc})` })}
      </p>
    </>
  );
}
