"use client";

import Link from "next/link";
import { ListPage, type SavedView } from "@/components/lists";
import { Empty, modelTitle, shortId } from "@/components/ui";
import { type Build, buildStates } from "@/lib/common/contract";
import { buildCountsQuery, buildsQuery } from "./api";
import { buildAppearance } from "./appearance";
import { buildColumns } from "./build-columns";
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

const views: readonly SavedView[] = [
  { name: "Under way", query: "state=queued&state=preparing&state=running" },
  { name: "Failed this week", query: "state=failed&state=timed_out&since=7d" },
  { name: "Longest of the last 30 days", query: "since=30d&sort=-duration" },
];

const nameOf = (build: Build) =>
  `${build.endpointName ?? modelTitle(build.modelUrl, build.modelName)}, build ${shortId(build.id)}`;
const idOf = ({ id }: Build) => id;

/** All builds, newest first if nothing else is asked. */
export function BuildsList() {
  return (
    <ListPage
      noun="build"
      api="/api/v1/builds"
      states={buildStates}
      sorts={sorts}
      appearance={buildAppearance}
      pageOf={buildsQuery}
      countsOf={buildCountsQuery}
      columns={buildColumns}
      idOf={idOf}
      nameOf={nameOf}
      placeholder="Search names and models"
      views={views}
      first={<NoBuilds />}
      bulk={(selection) => <BulkBuilds selection={selection} nameOf={nameOf} />}
    />
  );
}

function NoBuilds() {
  return (
    <Empty
      title="No build yet."
      action={
        <Link className="btn btn-primary" href="/deploy">
          Deploy a model
        </Link>
      }
    >
      A build turns a model into an artifact that a board can load. Every deploy makes one, or
      reuses one.
    </Empty>
  );
}
