"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { type FilterPart, ListPage, type SavedView } from "@/components/lists";
import { Empty, modelTitle, shortId } from "@/components/ui";
import { type Build, buildStates } from "@/lib/common/contract";
import { buildCountsQuery, buildsQuery } from "./api";
import { useBuildAppearance } from "./appearance";
import { useBuildColumns } from "./build-columns";
import { BulkBuilds } from "./bulk-builds";

const sorts = [
  "-created",
  "created",
  "state",
  "-state",
  "name",
  "-name",
  "duration",
  "-duration",
] as const;

const filters: readonly FilterPart[] = ["engine", "board", "label"];

const idOf = ({ id }: Build) => id;

/** All builds, newest first if nothing else is asked. */
export function BuildsList() {
  const t = useTranslations("builds.list");
  const views = useMemo<readonly SavedView[]>(
    () => [
      { name: t("views.underWay"), query: "state=queued&state=preparing&state=running" },
      { name: t("views.failedWeek"), query: "state=failed&state=timed_out&since=7d" },
      { name: t("views.longest"), query: "since=30d&sort=-duration" },
    ],
    [t],
  );
  const nameOf = (build: Build) =>
    t("rowName", {
      title: build.endpointName ?? modelTitle(build.modelUrl, build.modelName),
      id: shortId(build.id),
    });
  return (
    <ListPage
      noun="build"
      api="/api/v1/builds"
      states={buildStates}
      sorts={sorts}
      appearance={useBuildAppearance()}
      pageOf={buildsQuery}
      countsOf={buildCountsQuery}
      columns={useBuildColumns()}
      idOf={idOf}
      nameOf={nameOf}
      placeholder={t("placeholder")}
      filters={filters}
      views={views}
      first={<NoBuilds />}
      bulk={(selection) => <BulkBuilds selection={selection} nameOf={nameOf} />}
    />
  );
}

function NoBuilds() {
  const t = useTranslations("builds.list.empty");
  return (
    <Empty
      title={t("title")}
      action={
        <Link className="btn btn-primary" href="/deploy">
          {t("action")}
        </Link>
      }
    >
      {t("text")}
    </Empty>
  );
}
