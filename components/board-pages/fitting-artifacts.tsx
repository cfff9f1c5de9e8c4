"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import {
  Age,
  Empty,
  ErrorNote,
  formatMhz,
  modelTitle,
  Section,
  Skeleton,
  shortDigest,
  useResourceShare,
} from "@/components/ui";
import type { BoardDetail, FittingArtifact } from "@/lib/common/contract";
import { fittingQuery } from "./api";

/** Artifacts that the board can load as they are, each with the way to deploy it. */
export function FittingArtifacts({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards.resources");
  const { data, isPending, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(fittingQuery(board.id));
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section id="fits" title={t("fits")}>
      <p className="mb-2 max-w-[68ch] text-muted">{t("fitsText")}</p>
      {isPending ? <Skeleton lines={4} /> : null}
      {error ? (
        <ErrorNote title={t("fitsUnreadable")} error={error} onRetry={() => void refetch()} />
      ) : null}
      {data && items.length === 0 ? (
        <Empty
          title={t("fitsNone")}
          action={
            <Link className="btn" href={`/deploy?board=${board.boardModel}`}>
              {t("deploy")}
            </Link>
          }
        />
      ) : null}
      {items.length > 0 ? (
        <ul className="border-t border-line">
          {items.map((artifact) => (
            <Fitting key={artifact.digest} artifact={artifact} />
          ))}
        </ul>
      ) : null}
      {hasNextPage ? (
        <button
          type="button"
          className="btn mt-3"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t("more")}
        </button>
      ) : null}
    </Section>
  );
}

function Fitting({ artifact }: { artifact: FittingArtifact }) {
  const t = useTranslations("boards.resources");
  const shareOf = useResourceShare();
  const { digest, modelUrl, buildId, engine, clockHz, fullest, endpoints, isHere, createdAt } =
    artifact;
  const model = modelTitle(modelUrl, artifact.modelName);
  const numbers = [
    engine,
    clockHz ? formatMhz(clockHz) : null,
    fullest ? shareOf(fullest) : null,
  ].filter((number) => number !== null);
  return (
    <li className="grid items-center gap-x-6 gap-y-2 border-b border-line py-3 text-dense tablet:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-body font-strong break-words">{model}</span>
          <Link href={`/builds/${buildId}`} title={digest}>
            <code>{shortDigest(digest)}</code>
          </Link>
          {isHere ? <span className="label">{t("here")}</span> : null}
        </p>
        <p className="text-muted">
          {numbers.join(" · ")} · <Age time={createdAt} />
        </p>
        {endpoints.length > 0 ? (
          <p className="break-words text-muted">
            {t("usedBy")}:{" "}
            {endpoints.map((name, index) => (
              <span key={name}>
                {index > 0 ? ", " : ""}
                <Link href={`/endpoints/${name}`}>{name}</Link>
              </span>
            ))}
          </p>
        ) : null}
      </div>
      <Link
        className="btn btn-dense"
        href={`/deploy?build=${buildId}`}
        aria-label={t("deployName", { model })}
      >
        {t("deploy")}
      </Link>
    </li>
  );
}
