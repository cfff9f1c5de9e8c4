"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { AccuracySection, RangeAssumed } from "@/components/accuracy";
import { useBoardTitle } from "@/components/boards";
import {
  Age,
  ErrorNote,
  formatDuration,
  Loaded,
  modelTitle,
  PathLine,
  Skeleton,
  type Stations,
  shortDigest,
  shortId,
  useNow,
} from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { buildQuery } from "./api";
import { AttemptLog } from "./attempt-log";
import { again, BuildButtons, useBuildActions } from "./build-buttons";
import { BuildFailure } from "./build-failure";
import { BuildState } from "./build-state";
import { Findings, MoreFindings } from "./findings";
import { LabelsOfBuild } from "./labels/labels-of-build";
import { NotifySwitch } from "./notify-switch";
import { WaitNote } from "./queue/wait-note";
import { WorkerNotice } from "./queue/worker-notice";
import { BuildReport } from "./report/build-report";
import { reachedBy, useStanding } from "./standing";
import { StageGantt } from "./timeline/stage-gantt";

/** One build: where it is, what it writes, what it found. */
export function BuildView({ id, attempt }: { id: string; attempt: number | null }) {
  const t = useTranslations("builds.page");
  return (
    <Loaded
      query={useQuery(buildQuery(id))}
      loading={<Skeleton lines={8} height={28} />}
      failure={t("unreadable")}
      around={(note) => (
        <>
          <h1 className="mb-4">{t("heading", { id: shortId(id) })}</h1>
          {note}
          <p className="mt-4">
            <Link href="/builds">{t("all")}</Link>
          </p>
        </>
      )}
    >
      {(build) => <LoadedBuild build={build} attempt={attempt ?? build.attempt} />}
    </Loaded>
  );
}

function LoadedBuild({ build, attempt }: { build: Build; attempt: number }) {
  const t = useTranslations("builds.page");
  const boardTitle = useBoardTitle(build.boardModel, build.boardKind);
  const standing = useStanding(build);
  const { cancel, retry } = useBuildActions(build.id);
  const failed = build.state === "failed" || build.state === "timed_out";
  const title = build.endpointName ?? modelTitle(build.modelUrl, build.modelName);
  return (
    <>
      <PathLine
        here={1}
        done={reachedBy(build, standing)}
        stations={useStations(build, { boardTitle, isGone: standing.kind === "gone" })}
      />
      <header className="mb-6 flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1>{t("title", { title, board: boardTitle })}</h1>
          <Status build={build} />
          <LabelsOfBuild build={build} />
        </div>
        <div className="flex flex-wrap items-start gap-2">
          {build.endedAt === null ? <NotifySwitch build={build} /> : null}
          <BuildButtons build={build} cancel={cancel} retry={retry} />
        </div>
      </header>
      {cancel.isError || retry.isError ? (
        <div className="mb-6">
          <ErrorNote title={t("didNotWork")} error={cancel.error ?? retry.error} />
        </div>
      ) : null}
      {failed ? <BuildFailure build={build} onRetry={() => retry.mutate()} /> : null}
      {build.endedAt === null ? <WorkerNotice /> : null}
      <WaitNote build={build} />
      {build.reused ? <Reused build={build} /> : null}
      <RangeAssumed
        calibration={build.report?.calibration}
        deployAgain={`/deploy?${again(build)}#question-range`}
      />
      <div className="grid gap-8 desk:grid-cols-[minmax(0,1fr)_272px] desk:grid-rows-[auto_1fr]">
        <div className="min-w-0">
          <StageGantt build={build} attempt={attempt} />
          <AttemptLog build={build} attempt={attempt} />
        </div>
        <Findings build={build} />
        <MoreFindings build={build} />
      </div>
      {build.report?.accuracy ? (
        <div className="mt-10">
          <AccuracySection accuracy={build.report.accuracy} />
        </div>
      ) : null}
      <div className="mt-12">
        <BuildReport build={build} />
      </div>
    </>
  );
}

/** The way from the model to the endpoint, as far as this build knows it. */
function useStations(
  build: Build,
  { boardTitle, isGone }: { boardTitle: string; isGone: boolean },
): Stations {
  const t = useTranslations("builds.page");
  return [
    {
      label: modelTitle(build.modelUrl, build.modelName),
      href: `/deploy?model=${encodeURIComponent(build.modelUrl)}`,
    },
    {
      label: build.artifactDigest
        ? shortDigest(build.artifactDigest)
        : t("build", { id: shortId(build.id) }),
      mono: build.artifactDigest !== null,
    },
    { label: boardTitle, href: `/boards#${build.boardModel}` },
    {
      label: isGone
        ? t("deleted", { name: build.endpointName ?? "" })
        : (build.endpointName ?? t("noEndpoint")),
      href: build.endpointName && !isGone ? `/endpoints/${build.endpointName}` : undefined,
    },
  ];
}

function Reused({ build }: { build: Build }) {
  const t = useTranslations("builds.page");
  return (
    <p className="mb-6 border-l-2 border-info py-1 pl-4">
      {t.rich("reused", {
        artifact: build.artifactDigest ? "known" : "none",
        build: build.reusedFrom ? "known" : "none",
        digest: () => <code>{shortDigest(build.artifactDigest ?? "")}</code>,
        made: () => (
          <Link href={`/builds/${build.reusedFrom}`}>
            {t("build", { id: shortId(build.reusedFrom ?? "") })}
          </Link>
        ),
      })}
    </p>
  );
}

function Status({ build }: { build: Build }) {
  const t = useTranslations("builds");
  const age = () => <Age time={build.createdAt} />;
  const now = useNow();
  const running = build.stages.filter(({ state }) => state === "running");
  const from = Date.parse(build.startedAt ?? build.createdAt);
  const took = (build.endedAt ? Date.parse(build.endedAt) : Math.max(from, now)) - from;
  const facts = [
    build.reused ? t("reused") : null,
    build.state === "queued" ? t(`waits.${build.waitsFor ?? "worker"}.fact`) : null,
    running.length > 0
      ? t("page.inStages", { stages: running.map(({ name }) => name).join(", ") })
      : null,
    build.startedAt && now > 0 ? formatDuration(took) : null,
    build.engine,
    build.priority === "normal" ? null : t(`queue.priorities.${build.priority}`),
    build.attempt > 1 ? t("page.attempt", { attempt: build.attempt }) : null,
  ].filter((fact) => fact !== null);
  return (
    <p className="mt-0.5 text-dense text-muted">
      <BuildState build={build} />
      {facts.map((fact) => (
        <span key={fact}> · {fact}</span>
      ))}{" "}
      · {t.rich("page.asked", { age })}
    </p>
  );
}
