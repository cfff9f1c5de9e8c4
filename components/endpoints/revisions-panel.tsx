"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
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
import { useRevisionAppearance } from "./appearance";
import { newRevisionOf } from "./new-revision";
import { RollbackDialog } from "./rollback-dialog";
import { rollbackWay } from "./rollback-way";

/** Every revision of an endpoint, the newest first, with the one that answers marked and the way to each other one. */
export function RevisionsPanel({ endpoint }: { endpoint: Endpoint }) {
  const t = useTranslations("endpoints.revisions");
  return (
    <Loaded
      query={useQuery(revisionsQuery(endpoint.name))}
      loading={<Skeleton lines={3} />}
      failure={t("failure")}
    >
      {({ items }) => <Table revisions={items} endpoint={endpoint} />}
    </Loaded>
  );
}

function Table({ revisions, endpoint }: { revisions: readonly Revision[]; endpoint: Endpoint }) {
  const t = useTranslations("endpoints.revisions");
  const [chosen, setChosen] = useState<Revision | null>(null);
  const serving = revisions.find(
    ({ ordinal, servedAt }) => ordinal === endpoint.revision && servedAt !== null,
  );
  return (
    <>
      <p className="mb-3 max-w-[72ch] text-dense text-muted">{t("intro")}</p>
      <table className="table">
        <thead>
          <tr>
            <th>{t("revision")}</th>
            <th>{t("state")}</th>
            <th className="max-tablet:hidden">{t("model")}</th>
            <th className="max-tablet:hidden">{t("runsOn")}</th>
            <th className="max-desk:hidden">{t("artifact")}</th>
            <th className="num max-desk:hidden">{t("created")}</th>
            <th className="num">
              <span className="sr-only">{t("actions")}</span>
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
  const t = useTranslations("endpoints");
  const board = useBoardTitle(revision.boardModel, revision.boardKind);
  const { ordinal } = revision;
  const way = rollbackWay(ordinal, serving?.ordinal);
  const appearanceOf = useRevisionAppearance();
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
        {isServing ? <span className="label"> {t("revisions.serving")}</span> : null}
        {ordinal === endpoint.next ? <span className="label"> {t("revisions.next")}</span> : null}
      </td>
      <td>
        <StateMark appearance={appearanceOf(revision)} />
      </td>
      <td className="max-tablet:hidden">{modelTitle(revision.modelUrl, revision.modelName)}</td>
      <td className="max-tablet:hidden">
        {board} · {revision.engine}
      </td>
      <td className="max-desk:hidden">
        {revision.artifactDigest ? (
          <>
            <code>{shortDigest(revision.artifactDigest)}</code>{" "}
            <CopyButton text={revision.artifactDigest} label={t("revisions.copyDigest")} />
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
            aria-label={t("revisions.editLabel", { ordinal })}
            href={newRevisionOf(endpoint.name, { revision: ordinal })}
          >
            {t("revisions.edit")}
          </Link>
          {canServe(revision, endpoint, serving) ? (
            <button
              type="button"
              className="btn btn-dense"
              aria-label={t(`rollback.${way}.label`, { ordinal })}
              onClick={onServe}
            >
              {t(`rollback.${way}.button`)}
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
