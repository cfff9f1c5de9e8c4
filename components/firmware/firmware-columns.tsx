"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useBoardTitles } from "@/components/boards";
import type { ListColumn } from "@/components/lists";
import {
  Age,
  Amount,
  FullestPart,
  formatMhz,
  modelTitle,
  quantityOfBytes,
  StateButton,
  shortDigest,
  Unknown,
} from "@/components/ui";
import type { ListedArtifact } from "@/lib/common/contract";
import { useProofAppearance } from "./appearance";
import { PinMark } from "./pin-mark";

type Row = ListedArtifact;

/** What a list of firmware shows of each, in order. */
export function useFirmwareColumns(): readonly ListColumn<Row>[] {
  const t = useTranslations("firmware.columns");
  return useMemo(
    () => [
      {
        id: "name",
        enableHiding: false,
        enableSorting: false,
        meta: { label: t("name"), place: "title" },
        cell: ({ row }) => <Name artifact={row.original} />,
      },
      {
        id: "state",
        enableHiding: false,
        enableSorting: false,
        meta: { label: t("state"), place: "state" },
        cell: ({ row }) => <State artifact={row.original} />,
      },
      {
        id: "board",
        enableSorting: false,
        meta: { label: t("board"), place: "line" },
        cell: ({ row }) => <Board artifact={row.original} />,
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
        meta: { label: t("use"), place: "line", from: "desk" },
        cell: ({ row }) => <FullestPart resources={row.original.resources} />,
      },
      {
        id: "clock",
        sortDescFirst: true,
        meta: { label: t("clock"), place: "line", numeric: true, from: "desk" },
        cell: ({ row }) =>
          row.original.clockHz === null ? <Unknown /> : formatMhz(row.original.clockHz),
      },
      {
        id: "size",
        sortDescFirst: true,
        meta: { label: t("size"), place: "line", numeric: true },
        cell: ({ row }) => <Amount {...quantityOfBytes(row.original.sizeBytes)} />,
      },
      {
        id: "used-by",
        enableSorting: false,
        meta: { label: t("usedBy"), place: "line" },
        cell: ({ row }) => <UsedBy artifact={row.original} />,
      },
      {
        id: "created",
        sortDescFirst: true,
        meta: { label: t("created"), place: "line", numeric: true },
        cell: ({ row }) => (
          <span className="text-dense text-muted">
            <Age time={row.original.createdAt} />
          </span>
        ),
      },
    ],
    [t],
  );
}

function Name({ artifact: { digest, modelUrl, modelName, pinned } }: { readonly artifact: Row }) {
  return (
    <div className="tablet:max-w-48 desk:max-w-56">
      <Link className="row-link block truncate font-strong" href={`/firmware/${digest}`}>
        {modelTitle(modelUrl, modelName)}
      </Link>
      <span className="list-second flex items-center gap-2 text-muted">
        <code className="truncate text-dense" title={digest}>
          {shortDigest(digest)}
        </code>
        {pinned ? <PinMark /> : null}
      </span>
    </div>
  );
}

function State({ artifact }: { readonly artifact: Row }) {
  return <StateButton appearance={useProofAppearance()[artifact.state]} />;
}

function Board({ artifact: { boardModel, kind } }: { readonly artifact: Row }) {
  const titleOf = useBoardTitles();
  return (
    <span className={kind === "firmware" ? "text-copper" : ""}>{titleOf(boardModel, "")}</span>
  );
}

function UsedBy({ artifact: { usedBy } }: { readonly artifact: Row }) {
  const t = useTranslations("firmware");
  const [first] = usedBy;
  if (first === undefined) return <span className="text-muted">{t("nobody")}</span>;
  const link = <Link href={`/endpoints/${first}`}>{first}</Link>;
  if (usedBy.length === 1) return <span className="text-dense">{link}</span>;
  return (
    <span className="text-dense" title={usedBy.join(", ")}>
      {t("moreUses", { name: first, count: usedBy.length - 1 })}
    </span>
  );
}
