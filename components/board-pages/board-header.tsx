"use client";

import { useTranslations } from "next-intl";
import { BoardFigure, BoardState, useBoardFacts } from "@/components/boards";
import { Age } from "@/components/ui";
import type { BoardDetail } from "@/lib/common/contract";
import { BoardActions } from "./board-actions";
import { BoardBadges } from "./board-card";

/** What the board is called, how it looks and how it is, where it hangs, and what can be asked of it. */
export function BoardHeader({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards");
  const facts = useBoardFacts(board.boardModel);
  const isBlinking = board.tasks.some(({ kind, state }) => kind === "blink" && state === "running");
  return (
    <header className="mb-4 grid items-start gap-x-6 gap-y-4 tablet:grid-cols-[auto_minmax(0,1fr)]">
      <div className="flex justify-start">
        <BoardFigure board={board} height={112} isBlinking={isBlinking} />
      </div>
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1 className="break-words">{board.name}</h1>
          <div className="mt-0.5 text-dense text-muted">
            <BoardState board={board}>
              <Reasons board={board} />
            </BoardState>
            <BoardBadges board={board} /> · <span className="text-copper">{facts.name}</span> ·{" "}
            <span className="break-words">{board.serverName}</span>
            {board.heartbeatAt ? (
              <>
                , {t("heard")} <Age time={board.heartbeatAt} />
              </>
            ) : (
              <>, {t("never")}</>
            )}
          </div>
          {isBlinking && board.kind === "simulated" ? (
            <p className="mt-1 text-dense" role="status">
              {t("tasks.blinkHere")}
            </p>
          ) : null}
        </div>
        <BoardActions board={board} />
      </div>
    </header>
  );
}

/** Why it is as it is, with what to do next. */
function Reasons({ board }: { board: BoardDetail }) {
  return board.slots
    .filter(({ why }) => why !== null)
    .map(({ id, why }) => (
      <div key={id} className="mt-2 break-words">
        <p>{why?.message}</p>
        {why?.hint ? <p className="text-muted">{why.hint}</p> : null}
      </div>
    ));
}
