"use client";

import Link from "next/link";
import { CopyButton, ToneIcon } from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { again, canRetryBuild } from "./build-buttons";
import { NearestFits } from "./nearest-fits";

/** The first error of a build on top of everything: what happened, why, what to do. */
export function BuildFailure({ build, onRetry }: { build: Build; onRetry: () => void }) {
  const failed = build.stages.find(({ state }) => state === "failed");
  const { problem } = build;
  const message =
    problem?.message ??
    (build.state === "timed_out" ? "The build used up its time." : "The build failed.");
  return (
    <div role="alert" className="mb-8 border-l-2 border-bad py-1 pl-4">
      <p className="flex items-baseline gap-2 font-strong">
        <ToneIcon tone="bad" />
        {failed ? `Failed in ${failed.name}` : build.state === "timed_out" ? "Timed out" : "Failed"}
      </p>
      <p className="mt-1 max-w-[80ch] break-words whitespace-pre-wrap">{message}</p>
      {problem?.hint ? (
        <p className="mt-1 max-w-[80ch] break-words">
          <b>What to do:</b> {problem.hint}
        </p>
      ) : null}
      <NearestFits build={build} />
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Link className="btn btn-dense" href={`/deploy?${again(build)}`}>
          Change and deploy again
        </Link>
        {canRetryBuild(build) ? (
          <button type="button" className="btn btn-dense" onClick={onRetry}>
            Retry as it is
          </button>
        ) : null}
        <CopyButton
          text={[message, problem?.hint, problem?.reason, addressNow()].filter(Boolean).join("\n")}
        >
          Copy details
        </CopyButton>
        {problem ? (
          <>
            <Link href={`/errors/${problem.reason}`}>About this error</Link>
            <code className="text-muted">{problem.reason}</code>
          </>
        ) : null}
      </div>
    </div>
  );
}

const addressNow = () => (typeof window === "undefined" ? "" : window.location.href);
