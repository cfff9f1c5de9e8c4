"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useBoardTitle } from "@/components/boards";
import {
  Age,
  CopyButton,
  Loaded,
  modelTitle,
  Skeleton,
  StateMark,
  shortDigest,
} from "@/components/ui";
import type { Endpoint, Revision } from "@/lib/common/contract";
import { revisionsQuery } from "./api";
import { appearanceOfRevision } from "./appearance";
import { newRevisionOf } from "./new-revision";
import { RollbackDialog } from "./rollback-dialog";

/** Every revision of an endpoint, the newest first, with the one that answers marked and the way to each other one. */
export function RevisionsPanel({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Loaded
      query={useQuery(revisionsQuery(endpoint.name))}
      loading={<Skeleton lines={3} />}
      failure="The revisions cannot be read."
    >
      {({ items }) => <Table revisions={items} endpoint={endpoint} />}
    </Loaded>
  );
}

function Table({ revisions, endpoint }: { revisions: readonly Revision[]; endpoint: Endpoint }) {
  const [chosen, setChosen] = useState<Revision | null>(null);
  const serving = revisions.find(
    ({ ordinal, servedAt }) => ordinal === endpoint.revision && servedAt !== null,
  );
  return (
    <>
      <p className="mb-3 max-w-[72ch] text-dense text-muted">
        A revision’s settings never change. To change them, add one; to take a change back, have an
        earlier one serve again: nothing is built for that.
      </p>
      <table className="table">
        <thead>
          <tr>
            <th>Revision</th>
            <th>State</th>
            <th className="max-tablet:hidden">Model</th>
            <th className="max-tablet:hidden">Runs on</th>
            <th className="max-desk:hidden">Artifact</th>
            <th className="num max-desk:hidden">Made</th>
            <th className="num">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {revisions.map((revision) => (
            <Row
              key={revision.id}
              revision={revision}
              serving={serving}
              endpoint={endpoint}
              onServe={() => setChosen(revision)}
            />
          ))}
        </tbody>
      </table>
      {chosen ? (
        <RollbackDialog
          endpoint={endpoint}
          revision={chosen}
          serving={serving}
          onClose={() => setChosen(null)}
        />
      ) : null}
    </>
  );
}

function Row({
  revision,
  serving,
  endpoint,
  onServe,
}: {
  revision: Revision;
  serving: Revision | undefined;
  endpoint: Endpoint;
  onServe: () => void;
}) {
  const board = useBoardTitle(revision.boardModel, revision.boardKind);
  const { ordinal } = revision;
  const isServing = revision === serving;
  return (
    <tr>
      <td>
        {revision.buildId ? (
          <Link className="row-link font-strong" href={`/builds/${revision.buildId}`}>
            {ordinal}
          </Link>
        ) : (
          <b>{ordinal}</b>
        )}
        {isServing ? <span className="label"> answers now</span> : null}
        {ordinal === endpoint.next ? <span className="label"> is next</span> : null}
      </td>
      <td>
        <StateMark appearance={appearanceOfRevision(revision)} />
      </td>
      <td className="max-tablet:hidden">{modelTitle(revision.modelUrl)}</td>
      <td className="max-tablet:hidden">
        {board} · {revision.engine}
      </td>
      <td className="max-desk:hidden">
        {revision.artifactDigest ? (
          <>
            <code>{shortDigest(revision.artifactDigest)}</code>{" "}
            <CopyButton text={revision.artifactDigest} label="Copy the digest" />
          </>
        ) : (
          <span className="text-muted">–</span>
        )}
      </td>
      <td className="num text-dense text-muted max-desk:hidden">
        <Age time={revision.createdAt} />
      </td>
      <td className="num">
        <span className="inline-flex flex-wrap justify-end gap-1">
          <Link
            className="btn btn-quiet btn-dense"
            aria-label={`Change revision ${ordinal} into a new one`}
            href={newRevisionOf(endpoint.name, { revision: ordinal })}
          >
            Change
          </Link>
          {canServe(revision, endpoint, serving) ? (
            <button
              type="button"
              className="btn btn-dense"
              aria-label={`${wordFor(ordinal, serving)}, revision ${ordinal}`}
              onClick={onServe}
            >
              {wordFor(ordinal, serving)}
            </button>
          ) : null}
        </span>
      </td>
    </tr>
  );
}

/** Whether a rollback to it would be taken: it is built, and not the one that is wanted already. */
function canServe(revision: Revision, endpoint: Endpoint, serving: Revision | undefined): boolean {
  const { artifactDigest, state, servedAt, ordinal } = revision;
  if (artifactDigest === null || (state === "failed" && servedAt === null)) return false;
  return ordinal !== (endpoint.next ?? serving?.ordinal) && endpoint.state !== "deleting";
}

const wordFor = (ordinal: number, serving: Revision | undefined): string =>
  serving === undefined || ordinal < serving.ordinal
    ? "Roll back to this"
    : ordinal === serving.ordinal
      ? "Stay with this"
      : "Roll forward to this";
