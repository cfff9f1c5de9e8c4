"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
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
import type { Revision } from "@/lib/common/contract";
import { revisionsQuery } from "./api";
import { revisionAppearance } from "./appearance";

/** Every revision of an endpoint, the newest first, with the one that answers marked. */
export function RevisionsPanel({ name, current }: { name: string; current: number }) {
  return (
    <Loaded
      query={useQuery(revisionsQuery(name))}
      loading={<Skeleton lines={3} />}
      failure="The revisions cannot be read."
    >
      {({ items }) => <Table revisions={items} current={current} />}
    </Loaded>
  );
}

function Table({ revisions, current }: { revisions: readonly Revision[]; current: number }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th>Revision</th>
          <th>State</th>
          <th className="max-tablet:hidden">Model</th>
          <th className="max-tablet:hidden">Runs on</th>
          <th className="max-desk:hidden">Artifact</th>
          <th className="num max-tablet:hidden">Made</th>
        </tr>
      </thead>
      <tbody>
        {revisions.map((revision) => (
          <Row key={revision.id} revision={revision} current={revision.ordinal === current} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ revision, current }: { revision: Revision; current: boolean }) {
  const board = useBoardTitle(revision.boardModel, revision.boardKind);
  return (
    <tr>
      <td>
        {revision.buildId ? (
          <Link className="row-link font-strong" href={`/builds/${revision.buildId}`}>
            {revision.ordinal}
          </Link>
        ) : (
          <b>{revision.ordinal}</b>
        )}
        {current ? <span className="label"> answers now</span> : null}
      </td>
      <td>
        <StateMark appearance={revisionAppearance[revision.state]} />
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
      <td className="num text-dense text-muted max-tablet:hidden">
        <Age time={revision.createdAt} />
      </td>
    </tr>
  );
}
