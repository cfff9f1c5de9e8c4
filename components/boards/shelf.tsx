"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Empty, Loaded, Skeleton } from "@/components/ui";
import type { Board } from "@/lib/common/contract";
import { boardsQuery } from "./api";
import { BoardFigure } from "./board-figure";
import { BoardState } from "./board-state";
import { useBoardFacts } from "./catalogue";

/** The boards side by side on one line, like things on a shelf. */
export function Shelf() {
  const t = useTranslations("boards.shelf");
  return (
    <Loaded
      query={useQuery(boardsQuery())}
      loading={<Skeleton lines={1} height={150} />}
      failure={t("unreadable")}
      empty={<NoBoard />}
    >
      {({ items }) => <Line boards={items} />}
    </Loaded>
  );
}

function NoBoard() {
  const t = useTranslations("boards.shelf");
  return (
    <Empty
      title={t("none")}
      action={
        <Link className="btn btn-primary" href="/deploy">
          {t("noneAction")}
        </Link>
      }
    >
      {t("noneText")}
    </Empty>
  );
}

function Line({ boards }: { boards: readonly Board[] }) {
  const t = useTranslations("boards.shelf");
  return (
    <ul
      aria-label={t("name")}
      className="relative -mx-2 flex items-stretch overflow-x-auto px-2 pb-2"
    >
      {boards.map((board) => (
        <li key={board.id} className="flex w-[216px] flex-none flex-col">
          <Link
            href={`/boards/${board.id}`}
            tabIndex={-1}
            aria-hidden="true"
            className="flex flex-1 items-end border-b-2 border-line-strong pr-7 pl-2"
          >
            <span className="-mb-[7px]">
              <BoardFigure board={board} />
            </span>
          </Link>
          <BoardCaption board={board} />
        </li>
      ))}
      <li aria-hidden="true" className="flex flex-1 flex-col">
        <div className="flex-1 border-b-2 border-line-strong" />
        <div className="h-[84px]" />
      </li>
    </ul>
  );
}

function BoardCaption({ board }: { board: Board }) {
  const t = useTranslations("boards.shelf");
  const { name } = useBoardFacts(board.boardModel);
  const endpoints = board.slots.flatMap((slot) => slot.endpointName ?? []);
  const [only] = endpoints;
  return (
    <div className="h-[84px] py-2.5 pr-4 pl-2 text-dense">
      <div className="truncate text-body">
        <Link className="font-strong text-text" href={`/boards/${board.id}`}>
          {name}
        </Link>{" "}
        {board.kind === "simulated" ? <span className="label">{t("simulated")}</span> : null}
      </div>
      <div className="flex gap-1.5">
        {endpoints.length === 1 && only !== undefined ? (
          <>
            <Link href={`/endpoints/${only}`} className="truncate">
              {only}
            </Link>
            <span>·</span>
          </>
        ) : endpoints.length > 1 ? (
          <span>{t("models", { count: endpoints.length })} ·</span>
        ) : null}
        <BoardState board={board} />
      </div>
      <div className="truncate text-muted">{board.serverName}</div>
    </div>
  );
}
