"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { BoardFigure, BoardState, useBoardFacts } from "@/components/boards";
import type { ListColumn } from "@/components/lists";
import { Age } from "@/components/ui";
import type { Board } from "@/lib/common/contract";
import { BoardBadges, LeasedTo } from "./board-card";

/** What a table of boards shows of each, in order. */
export function useBoardColumns(): readonly ListColumn<Board>[] {
  const t = useTranslations("boards.list.columns");
  return useMemo(
    (): readonly ListColumn<Board>[] => [
      {
        id: "name",
        enableHiding: false,
        meta: { label: t("name"), place: "title" },
        cell: ({ row }) => <Name board={row.original} />,
      },
      {
        id: "state",
        enableHiding: false,
        meta: { label: t("state"), place: "state" },
        cell: ({ row }) => <State board={row.original} />,
      },
      {
        id: "holds",
        enableSorting: false,
        meta: { label: t("holds"), place: "line" },
        cell: ({ row }) => <Endpoints board={row.original} />,
      },
      {
        id: "kind",
        meta: { label: t("kind"), place: "line", from: "desk" },
        cell: ({ row }) => <Kind board={row.original} />,
      },
      {
        id: "places",
        enableSorting: false,
        meta: { label: t("places"), place: "line", numeric: true },
        cell: ({ row }) => <Places board={row.original} />,
      },
      {
        id: "server",
        meta: { label: t("server"), place: "line" },
        cell: ({ row }) => <span className="break-words">{row.original.serverName}</span>,
      },
      {
        id: "heard",
        enableSorting: false,
        meta: { label: t("heard"), place: "line", spare: true },
        cell: ({ row }) => <Heard board={row.original} />,
      },
    ],
    [t],
  );
}

function Name({ board }: { readonly board: Board }) {
  const facts = useBoardFacts(board.boardModel);
  return (
    <div className="flex items-center gap-3 tablet:max-w-72">
      <span className="flex w-14 flex-none justify-center">
        <BoardFigure board={board} height={40} />
      </span>
      <span className="min-w-0">
        <Link className="row-link block truncate font-strong" href={`/boards/${board.id}`}>
          {board.name}
        </Link>
        <span className="list-second block truncate text-dense text-muted">{facts.name}</span>
      </span>
    </div>
  );
}

function State({ board }: { readonly board: Board }) {
  return (
    <>
      <BoardState board={board} />
      <BoardBadges board={{ kind: "physical", ...(board.drain ? { drain: board.drain } : {}) }} />
    </>
  );
}

function Kind({ board }: { readonly board: Board }) {
  const t = useTranslations("boards.kinds");
  return <span className={board.kind === "cpu" ? "" : "text-copper"}>{t(board.kind)}</span>;
}

function Endpoints({ board }: { readonly board: Board }) {
  const t = useTranslations("boards.list");
  const names = board.slots.flatMap(({ endpointName }) => endpointName ?? []);
  const [first] = names;
  if (board.lease) return <LeasedTo board={board} />;
  if (first === undefined) return <span className="text-muted">–</span>;
  return (
    <span className="flex min-w-0 gap-2 text-dense tablet:max-w-48">
      <Link href={`/endpoints/${first}`} className="truncate">
        {first}
      </Link>
      {names.length > 1 ? (
        <span className="whitespace-nowrap text-muted">
          {t("more", { count: names.length - 1 })}
        </span>
      ) : null}
    </span>
  );
}

function Places({ board: { slots } }: { readonly board: Board }) {
  const free = slots.filter(({ state }) => state === "empty").length;
  return (
    <>
      {free}/{slots.length}
    </>
  );
}

function Heard({ board: { heartbeatAt } }: { readonly board: Board }) {
  const t = useTranslations("boards");
  return (
    <span className="text-dense text-muted">
      {heartbeatAt ? <Age time={heartbeatAt} /> : t("never")}
    </span>
  );
}
