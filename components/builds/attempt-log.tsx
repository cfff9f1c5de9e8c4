"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type Build, finalBuildStates } from "@/lib/common/contract";

const LogViewer = dynamic(() => import("./log/log-viewer").then((module) => module.LogViewer), {
  ssr: false,
  loading: () => <div className="well h-24" />,
});

/** The log of an attempt, the way to the others, and to the same from a shell. */
export function AttemptLog({ build, attempt }: { build: Build; attempt: number }) {
  const final = finalBuildStates.has(build.state);
  const failedStage = build.stages.find(({ state }) => state === "failed")?.name ?? null;
  return (
    <div className="min-w-0">
      <Attempts build={build} shown={attempt} />
      {build.attempt === 0 ? (
        <NoLogYet build={build} />
      ) : (
        <LogViewer
          key={`${build.id} ${attempt}`}
          buildId={build.id}
          attempt={attempt}
          running={!final && attempt >= build.attempt}
          failedStage={failedStage}
        />
      )}
    </div>
  );
}

/** In the place of the log while no worker has taken the build: what it waits for. */
function NoLogYet({ build }: { build: Build }) {
  const t = useTranslations("builds.attempts");
  const waits = useTranslations("builds.waits");
  return (
    <div className="well p-6">
      <p className="font-strong">{build.state === "queued" ? t("waiting") : t("nothing")}</p>
      <p className="mt-1 text-muted">
        {build.state === "queued"
          ? `${waits(`${build.waitsFor ?? "worker"}.sentence`)} ${t("startsHere")}`
          : t("ended")}
      </p>
    </div>
  );
}

/** Attempts of a build, each with its own log. */
function Attempts({ build, shown }: { build: Build; shown: number }) {
  const t = useTranslations("builds.attempts");
  if (build.attempt < 2) return null;
  return (
    <nav aria-label={t("name")} className="mb-2 flex gap-4 overflow-x-auto text-dense">
      {Array.from({ length: build.attempt }, (_, index) => index + 1).map((attempt) => (
        <Link
          key={attempt}
          href={`/builds/${build.id}?attempt=${attempt}`}
          aria-current={attempt === shown ? "page" : undefined}
          className="tab mb-0! py-0.5!"
        >
          {t("attempt", { attempt })}
        </Link>
      ))}
    </nav>
  );
}
