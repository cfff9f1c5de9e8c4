"use client";

import { toAppError } from "@/lib/common/errors";
import { ErrorLink } from "./error-link";
import { RetryButton } from "./retry-button";
import { ToneIcon } from "./state-mark";

/** What failed, why, and what to do; with the page about it, a retry where that can help, and the details to hand on. */
export function ErrorNote({
  title,
  error,
  onRetry,
}: {
  title: string;
  error: unknown;
  onRetry?: (() => void) | undefined;
}) {
  const known = toAppError(error);
  const { message, hint } = known;
  return (
    <div role="alert" className="max-w-[68ch] border-l-2 border-bad py-1 pl-4">
      <p className="flex items-baseline gap-2 font-strong">
        <ToneIcon tone="bad" />
        {title}
      </p>
      <p className="mt-1 break-words">{message}</p>
      {hint ? <p className="mt-1 break-words text-muted">{hint}</p> : null}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        {onRetry ? <RetryButton error={known} onRetry={onRetry} /> : null}
        <ErrorLink error={known} title={title} />
      </div>
    </div>
  );
}
