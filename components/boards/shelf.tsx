"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Empty, Loaded, Skeleton, StateMark } from "@/components/ui";
import type { Board } from "@/lib/common/contract";
import { boardsQuery } from "./api";
import { BoardFigure } from "./board-figure";
import { useBoardFacts } from "./catalogue";
import { useBoardAppearance } from "./use-appearance";

/** The boards side by side on one line, like things on a shelf. */
export function Shelf() {
  return (
    <Loaded
      query={useQuery(boardsQuery())}
      loading={<Skeleton lines={1} height={150} />}
      failure="The boards cannot be read."
      empty={<NoBoard />}
    >
      {({ items }) => <Line boards={items} />}
    </Loaded>
  );
}

function NoBoard() {
  return (
    <Empty
      title="No board yet."
      action={
        <Link className="btn btn-primary" href="/deploy">
          Deploy a model
        </Link>
      }
    >
      A simulated board appears with the first deploy; a CPU board comes with every board server.
    </Empty>
  );
}

function Line({ boards }: { boards: readonly Board[] }) {
  return (
    <ul aria-label="Boards" className="relative -mx-2 flex items-stretch overflow-x-auto px-2 pb-2">
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
  const { name } = useBoardFacts(board.boardModel);
  const appearance = useBoardAppearance();
  const endpoints = board.slots.flatMap((slot) => slot.endpointName ?? []);
  const [only] = endpoints;
  return (
    <div className="h-[84px] py-2.5 pr-4 pl-2 text-dense">
      <div className="truncate text-body">
        <Link className="font-strong text-text" href={`/boards/${board.id}`}>
          {name}
        </Link>{" "}
        {board.kind === "simulated" ? <span className="label">simulated</span> : null}
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
          <span>{endpoints.length} models ·</span>
        ) : null}
        <StateMark appearance={appearance[board.state]} />
      </div>
      <div className="truncate text-muted">{board.serverName}</div>
    </div>
  );
}
