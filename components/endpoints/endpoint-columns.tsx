"use client";

import Link from "next/link";
import { useBoardTitle } from "@/components/boards";
import type { ListColumn } from "@/components/lists";
import { Age, CopyButton, modelTitle, StateButton, shortDigest } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { endpointAppearance } from "./appearance";
import { EndpointActions } from "./endpoint-actions";
import { ErrorCell, RateCell, RecentCell, SlowestCell } from "./traffic/cells";

/** What a list of endpoints shows of each, in order; last what can be done to it. */
export const endpointColumns: readonly ListColumn<Endpoint>[] = [
  {
    id: "name",
    enableHiding: false,
    meta: { label: "Name", place: "title" },
    cell: ({ row: { original } }) => (
      <div className="tablet:max-w-48 desk:max-w-64">
        <Link className="row-link block truncate font-strong" href={`/endpoints/${original.name}`}>
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
    meta: { label: "State", place: "state" },
    cell: ({ row: { original } }) => (
      <StateButton appearance={endpointAppearance[original.state]}>
        {original.reason ? <p className="mt-2 text-muted">{original.reason}</p> : null}
      </StateButton>
    ),
  },
  {
    id: "board",
    enableSorting: false,
    meta: { label: "Board", place: "line" },
    cell: ({ row }) => <Board endpoint={row.original} />,
  },
  {
    id: "recent",
    enableSorting: false,
    meta: { label: "Last 30 min", place: "line", from: "desk" },
    cell: ({ row }) => <RecentCell name={row.original.name} />,
  },
  {
    id: "rate",
    enableSorting: false,
    meta: { label: "Req./min", place: "line", numeric: true },
    cell: ({ row }) => <RateCell name={row.original.name} />,
  },
  {
    id: "p99",
    enableSorting: false,
    meta: { label: "p99", place: "line", numeric: true },
    cell: ({ row }) => <SlowestCell name={row.original.name} />,
  },
  {
    id: "errors",
    enableSorting: false,
    meta: { label: "Errors", place: "line", from: "desk", numeric: true },
    cell: ({ row }) => <ErrorCell name={row.original.name} />,
  },
  {
    id: "engine",
    enableSorting: false,
    meta: { label: "Engine", place: "line", from: "desk" },
    cell: ({ row }) => <span className="text-dense">{row.original.engine}</span>,
  },
  {
    id: "revision",
    enableSorting: false,
    meta: { label: "Revision", place: "line", spare: true, numeric: true },
    cell: ({ row }) => row.original.revision,
  },
  {
    id: "url",
    enableSorting: false,
    meta: { label: "URL", place: "line", spare: true },
    cell: ({ row: { original } }) => (
      <CopyButton text={original.url} label={`Copy the address of ${original.name}`}>
        <code
          className="inline-block max-w-[min(12rem,36vw)] truncate align-bottom"
          title={original.url}
        >
          {new URL(original.url).host}/…/{original.name}
        </code>
      </CopyButton>
    ),
  },
  {
    id: "api",
    enableSorting: false,
    meta: { label: "API", place: "line", spare: true },
    cell: ({ row }) => <span className="text-dense">{row.original.apiVersion}</span>,
  },
  {
    id: "replicas",
    enableSorting: false,
    meta: { label: "Replicas", place: "line", spare: true, numeric: true },
    cell: ({ row: { original } }) => `${original.replicas.serving} of ${original.replicas.wanted}`,
  },
  {
    id: "artifact",
    enableSorting: false,
    meta: { label: "Artifact", place: "line", spare: true },
    cell: ({ row }) => <Artifact endpoint={row.original} />,
  },
  {
    id: "created",
    sortDescFirst: true,
    meta: { label: "Age", place: "line", numeric: true },
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
    meta: { label: "Actions", place: "line" },
    cell: ({ row }) => <EndpointActions endpoint={row.original} form="row" />,
  },
];

function Board({ endpoint: { boardModel, boardKind } }: { readonly endpoint: Endpoint }) {
  return (
    <span className={boardKind === "cpu" ? "" : "text-copper"}>
      {useBoardTitle(boardModel, boardKind)}
    </span>
  );
}

function Artifact({ endpoint: { name, artifactDigest } }: { readonly endpoint: Endpoint }) {
  if (!artifactDigest) return <span className="text-muted">–</span>;
  return (
    <CopyButton text={artifactDigest} label={`Copy the digest of ${name}`}>
      <code title={artifactDigest}>{shortDigest(artifactDigest)}</code>
    </CopyButton>
  );
}
