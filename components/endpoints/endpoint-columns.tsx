"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useBoardTitle } from "@/components/boards";
import type { ListColumn } from "@/components/lists";
import { Age, CopyButton, modelTitle, shortDigest } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { EndpointActions } from "./endpoint-actions";
import { EndpointState } from "./endpoint-state";
import { ErrorCell, RateCell, RecentCell, SlowestCell } from "./traffic/cells";

/** What a list of endpoints shows of each, in order; last what can be done to it. */
export function useEndpointColumns(): readonly ListColumn<Endpoint>[] {
  const t = useTranslations("endpoints.columns");
  return useMemo(
    () => [
      {
        id: "name",
        enableHiding: false,
        meta: { label: t("name"), place: "title" },
        cell: ({ row: { original } }) => (
          <div className="tablet:max-w-48 desk:max-w-64">
            <Link
              className="row-link block truncate font-strong"
              href={`/endpoints/${original.name}`}
            >
              {original.name}
            </Link>
            <span
              className="list-second block truncate text-dense text-muted"
              title={original.modelUrl}
            >
              {modelTitle(original.modelUrl, original.modelName)}
            </span>
          </div>
        ),
      },
      {
        id: "state",
        enableHiding: false,
        meta: { label: t("state"), place: "state" },
        cell: ({ row }) => <EndpointState endpoint={row.original} />,
      },
      {
        id: "board",
        enableSorting: false,
        meta: { label: t("board"), place: "line" },
        cell: ({ row }) => <Board endpoint={row.original} />,
      },
      {
        id: "recent",
        enableSorting: false,
        meta: { label: t("recent"), place: "line", from: "desk" },
        cell: ({ row }) => <RecentCell name={row.original.name} />,
      },
      {
        id: "rate",
        enableSorting: false,
        meta: { label: t("rate"), place: "line", numeric: true },
        cell: ({ row }) => <RateCell name={row.original.name} />,
      },
      {
        id: "p99",
        enableSorting: false,
        meta: { label: t("p99"), place: "line", numeric: true },
        cell: ({ row }) => <SlowestCell name={row.original.name} />,
      },
      {
        id: "errors",
        enableSorting: false,
        meta: { label: t("errors"), place: "line", from: "desk", numeric: true },
        cell: ({ row }) => <ErrorCell name={row.original.name} />,
      },
      {
        id: "engine",
        enableSorting: false,
        meta: { label: t("engine"), place: "line", from: "desk" },
        cell: ({ row }) => <span className="text-dense">{row.original.engine}</span>,
      },
      {
        id: "revision",
        enableSorting: false,
        meta: { label: t("revision"), place: "line", spare: true, numeric: true },
        cell: ({ row }) => row.original.revision,
      },
      {
        id: "url",
        enableSorting: false,
        meta: { label: t("url"), place: "line", spare: true },
        cell: ({ row }) => <Address endpoint={row.original} />,
      },
      {
        id: "api",
        enableSorting: false,
        meta: { label: t("api"), place: "line", spare: true },
        cell: ({ row }) => <span className="text-dense">{row.original.apiVersion}</span>,
      },
      {
        id: "replicas",
        enableSorting: false,
        meta: { label: t("replicas"), place: "line", spare: true, numeric: true },
        cell: ({ row }) => t("served", row.original.replicas),
      },
      {
        id: "artifact",
        enableSorting: false,
        meta: { label: t("artifact"), place: "line", spare: true },
        cell: ({ row }) => <Artifact endpoint={row.original} />,
      },
      {
        id: "created",
        sortDescFirst: true,
        meta: { label: t("age"), place: "line", numeric: true },
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
        cell: ({ row }) => <EndpointActions endpoint={row.original} form="row" />,
      },
    ],
    [t],
  );
}

function Address({ endpoint: { name, url } }: { readonly endpoint: Endpoint }) {
  const t = useTranslations("endpoints.columns");
  return (
    <CopyButton text={url} label={t("copyUrl", { name })}>
      <code className="inline-block max-w-[min(12rem,36vw)] truncate align-bottom" title={url}>
        {new URL(url).host}/…/{name}
      </code>
    </CopyButton>
  );
}

function Board({ endpoint: { boardModel, boardKind } }: { readonly endpoint: Endpoint }) {
  return (
    <span className={boardKind === "cpu" ? "" : "text-copper"}>
      {useBoardTitle(boardModel, boardKind)}
    </span>
  );
}

function Artifact({ endpoint: { name, artifactDigest } }: { readonly endpoint: Endpoint }) {
  const t = useTranslations("endpoints.columns");
  if (!artifactDigest) return <span className="text-muted">–</span>;
  return (
    <CopyButton text={artifactDigest} label={t("copyDigest", { name })}>
      <code title={artifactDigest}>{shortDigest(artifactDigest)}</code>
    </CopyButton>
  );
}
