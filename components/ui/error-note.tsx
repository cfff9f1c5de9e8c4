"use client";

import { isAppError } from "@/lib/common/errors";
import { CopyButton } from "./copy-button";
import { ToneIcon } from "./state-mark";

/** What failed, why, and what to do; with the code, a retry and the details to hand on. */
export function ErrorNote({
  title,
  error,
  onRetry,
}: {
  title: string;
  error: unknown;
  onRetry?: (() => void) | undefined;
}) {
  const known = isAppError(error) ? error : null;
  const message = known?.message ?? (error instanceof Error ? error.message : String(error));
  const details = [title, message, known?.hint, known && `${known.code} ${known.reason}`]
    .filter(Boolean)
    .join("\n");
  return (
    <div role="alert" className="max-w-[68ch] border-l-2 border-bad py-1 pl-4">
      <p className="flex items-baseline gap-2 font-strong">
        <ToneIcon tone="bad" />
        {title}
      </p>
      <p className="mt-1 break-words">{message}</p>
      {known?.hint ? <p className="mt-1 text-muted">{known.hint}</p> : null}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {onRetry ? (
          <button type="button" className="btn btn-dense" onClick={onRetry}>
            Try again
          </button>
        ) : null}
        <CopyButton text={details}>Copy details</CopyButton>
        {known ? <code className="text-muted">{known.reason}</code> : null}
      </div>
    </div>
  );
}
