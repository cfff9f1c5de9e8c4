"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useBoardAppearance } from "@/components/boards";
import { ListPage } from "@/components/lists";
import { afterLoad, Empty } from "@/components/ui";
import { type Board, boardKinds, boardStates } from "@/lib/common/contract";
import { boardCountsQuery, boardsPageQuery } from "./api";
import { BoardCard } from "./board-card";
import { useBoardColumns } from "./board-columns";

/** Its dialog is loaded after the list. */
const BulkBoards = dynamic(
  () => afterLoad(() => import("./bulk-boards")).then((module) => module.BulkBoards),
  {
    ssr: false,
  },
);

const filters = ["kind", "board", "server"] as const;
const sorts = [
  "kind",
  "-kind",
  "name",
  "-name",
  "state",
  "-state",
  "server",
  "-server",
  "created",
  "-created",
] as const;

const idOf = ({ id }: Board) => id;
const nameOf = ({ name }: Board) => name;

/** All boards of the installation, hardware first if nothing else is asked. */
export function BoardsList() {
  const t = useTranslations("boards");
  const appearance = useBoardAppearance();
  const columns = useBoardColumns();
  const kindName = (kind: string) => {
    const known = boardKinds.find((each) => each === kind);
    return known ? t(`kinds.${known}`) : kind;
  };
  const views = useMemo(
    () => [
      { name: t("list.views.attention"), query: "state=degraded&state=offline" },
      { name: t("list.views.hardware"), query: "kind=physical" },
      { name: t("list.views.free"), query: "state=free" },
    ],
    [t],
  );
  return (
    <>
      <Capacity />
      <ListPage
        noun="board"
        api="/api/v1/boards"
        states={boardStates}
        sorts={sorts}
        appearance={appearance}
        pageOf={boardsPageQuery}
        countsOf={boardCountsQuery}
        columns={columns}
        hasAge={false}
        filters={filters}
        kindName={kindName}
        card={(board) => <BoardCard board={board} />}
        idOf={idOf}
        nameOf={nameOf}
        placeholder={t("search")}
        views={views}
        first={<NoBoard />}
        bulk={(selection) => <BulkBoards selection={selection} />}
      />
    </>
  );
}

/** Room of the whole installation, in words. */
function Capacity() {
  const t = useTranslations("boards.list");
  const counts = useQuery(boardCountsQuery("")).data;
  return (
    <p className="mb-3 min-h-6 text-dense text-muted" data-testid="capacity">
      {counts ? t("capacity", { ...counts.slots, ...counts.simulated }) : null}
    </p>
  );
}

function NoBoard() {
  const t = useTranslations("boards.list.none");
  return (
    <Empty
      title={t("title")}
      action={
        <Link className="btn" href="/deploy">
          {t("action")}
        </Link>
      }
    >
      {t("text")}
    </Empty>
  );
}
