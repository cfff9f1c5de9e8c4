"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { CopyButton, ToneIcon } from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { again, canRetryBuild } from "./build-buttons";
import { NearestFits } from "./nearest-fits";

/** The first error of a build on top of everything: what happened, why, what to do. */
export function BuildFailure({ build, onRetry }: { build: Build; onRetry: () => void }) {
  const t = useTranslations("builds.failure");
  const failed = build.stages.find(({ state }) => state === "failed");
  const { problem } = build;
  const message = problem?.message ?? (build.state === "timed_out" ? t("usedUp") : t("plain"));
  return (
    <div role="alert" className="mb-8 border-l-2 border-bad py-1 pl-4">
      <p className="flex items-baseline gap-2 font-strong">
        <ToneIcon tone="bad" />
        {failed
          ? t("inStage", { stage: failed.name })
          : build.state === "timed_out"
            ? t("timedOut")
            : t("failed")}
      </p>
      <p className="mt-1 max-w-[80ch] break-words whitespace-pre-wrap">{message}</p>
      {problem?.hint ? (
        <p className="mt-1 max-w-[80ch] break-words">
          {t.rich("whatToDo", { hint: problem.hint, b: (words) => <b>{words}</b> })}
        </p>
      ) : null}
      <NearestFits build={build} />
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Link className="btn btn-dense" href={`/deploy?${again(build)}`}>
          {t("change")}
        </Link>
        {canRetryBuild(build) ? (
          <button type="button" className="btn btn-dense" onClick={onRetry}>
            {t("retry")}
          </button>
        ) : null}
        <CopyButton
          text={[message, problem?.hint, problem?.reason, addressNow()].filter(Boolean).join("\n")}
        >
          {t("copy")}
        </CopyButton>
        {problem ? (
          <>
            <Link href={`/errors/${problem.reason}`}>{t("about")}</Link>
            <code className="text-muted">{problem.reason}</code>
          </>
        ) : null}
      </div>
    </div>
  );
}

const addressNow = () => (typeof window === "undefined" ? "" : window.location.href);
