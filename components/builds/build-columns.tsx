"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useBoardTitle } from "@/components/boards";
import type { ListColumn } from "@/components/lists";
import {
  Age,
  CopyButton,
  FullestPart,
  formatDuration,
  modelTitle,
  shortDigest,
  Unknown,
  useNow,
} from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { buildOverviewQuery } from "./api";
import { buildTones } from "./appearance";
import { BuildState } from "./build-state";
import { LabelChips } from "./labels/label-chips";
import { RowActions } from "./row-actions";

/** What a list of builds shows of each, in order; last what can be done to it. */
export function useBuildColumns(): readonly ListColumn<Build>[] {
  const t = useTranslations("builds.columns");
  return useMemo(
    () => [
      {
        id: "name",
        enableHiding: false,
        meta: { label: t("build"), place: "title" },
        cell: ({ row }) => <Name build={row.original} />,
      },
      {
        id: "state",
        enableHiding: false,
        meta: { label: t("state"), place: "state" },
        cell: ({ row }) => <State build={row.original} />,
      },
      {
        id: "board",
        enableSorting: false,
        meta: { label: t("board"), place: "line" },
        cell: ({ row }) => <Board build={row.original} />,
      },
      {
        id: "engine",
        enableSorting: false,
        meta: { label: t("engine"), place: "line", from: "desk" },
        cell: ({ row }) => row.original.engine,
      },
      {
        id: "use",
        enableSorting: false,
        meta: { label: t("use"), place: "line", spare: true },
        cell: ({ row }) => <FullestPart resources={row.original.report?.resources ?? []} />,
      },
      {
        id: "artifact",
        enableSorting: false,
        meta: { label: t("artifact"), place: "line", spare: true },
        cell: ({ row }) => <Artifact build={row.original} />,
      },
      {
        id: "duration",
        sortDescFirst: true,
        meta: { label: t("took"), place: "line" },
        cell: ({ row }) => <Took build={row.original} />,
      },
      {
        id: "created",
        sortDescFirst: true,
        meta: { label: t("asked"), place: "line", numeric: true },
        cell: ({ row }) => (
          <span className="text-dense text-muted">
            <Age time={row.original.createdAt} />
          </span>
        ),
      },
      {
        id: "actions",
        enableSorting: false,
        enableHiding: false,
        meta: { label: t("actions"), place: "line" },
        cell: ({ row }) => <RowActions build={row.original} />,
      },
    ],
    [t],
  );
}

function Name({ build }: { readonly build: Build }) {
  const model = modelTitle(build.modelUrl, build.modelName);
  return (
    <div className="tablet:max-w-56 desk:max-w-72">
      <Link className="row-link block truncate font-strong" href={`/builds/${build.id}`}>
        {build.endpointName ?? model}
      </Link>
      <span className="list-second block truncate text-dense text-muted" title={build.modelUrl}>
        {model}
      </span>
      <LabelChips labels={build.labels} />
    </div>
  );
}

function State({ build }: { readonly build: Build }) {
  const stage = build.stages.find(({ state }) => state === "running" || state === "failed");
  const t = useTranslations("builds");
  return (
    <>
      <BuildState build={build} />
      {build.reused ? <span className="label"> {t("reused")}</span> : null}
      {build.state === "queued" && build.priority !== "normal" ? (
        <span className="list-second block text-dense text-muted">
          {t(`queue.priorities.${build.priority}`)}
        </span>
      ) : null}
      {stage ? (
        <span className="list-second block text-dense text-muted">
          {t("list.inStage", { stage: stage.name })}
        </span>
      ) : null}
    </>
  );
}

function Board({ build: { boardModel, boardKind } }: { readonly build: Build }) {
  return (
    <span className={boardKind === "cpu" ? "" : "text-copper"}>
      {useBoardTitle(boardModel, boardKind)}
    </span>
  );
}

function Artifact({ build: { artifactDigest } }: { readonly build: Build }) {
  const t = useTranslations("builds.list");
  if (!artifactDigest) return <Unknown />;
  return (
    <CopyButton text={artifactDigest} label={t("copyDigest")}>
      <code title={artifactDigest}>{shortDigest(artifactDigest)}</code>
    </CopyButton>
  );
}

/** How long it took, or takes by now, against the median of the builds of a day, which is half of the bar. */
function Took({ build: { startedAt, endedAt, state } }: { readonly build: Build }) {
  const t = useTranslations("builds.list");
  const now = useNow();
  const medianMs = useQuery({ ...buildOverviewQuery(), select: (overview) => overview.medianMs });
  if (startedAt === null) return <Unknown />;
  const tookMs = Math.max(0, (endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt));
  const share = medianMs.data ? Math.min(1, tookMs / (2 * medianMs.data)) : 0;
  const tone = buildTones[state];
  const colour = tone === "bad" ? "bg-bad" : tone === "run" ? "bg-accent" : "bg-line-strong";
  return (
    <span className="flex items-center gap-3 text-dense whitespace-nowrap">
      <span
        aria-hidden="true"
        title={t("median")}
        className="relative block h-1.5 w-16 border-b border-line max-desk:hidden"
      >
        <i
          className={`block h-full rounded-[1px] ${colour}`}
          style={{ width: `${share * 100}%` }}
        />
        {medianMs.data ? <i className="absolute inset-y-[-3px] left-1/2 w-px bg-text" /> : null}
      </span>
      {formatDuration(tookMs)}
    </span>
  );
}
