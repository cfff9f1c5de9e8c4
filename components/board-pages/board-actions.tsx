"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { afterLoad, ErrorNote } from "@/components/ui";
import type { BoardDetail } from "@/lib/common/contract";
import { AppError } from "@/lib/common/errors";
import { askBoard, boardQuery, type PlainAction } from "./api";

const BoardMenu = dynamic(
  () => afterLoad(() => import("./board-menu")).then((module) => module.BoardMenu),
  {
    ssr: false,
  },
);
const DrainDialog = dynamic(() => import("./drain-dialog").then((module) => module.DrainDialog));
const ReloadDialog = dynamic(() => import("./reload-dialog").then((module) => module.ReloadDialog));
const ResumeDialog = dynamic(() => import("./resume-dialog").then((module) => module.ResumeDialog));

type Dialog = "drain" | "resume" | "reload";
type Task = Extract<PlainAction, "blink" | "self-test">;

/** What can be asked of the board. What is refused says why as soon as it is asked for, before anything is sent. */
export function BoardActions({ board }: { board: BoardDetail }) {
  const t = useTranslations("boards.actions");
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const tasks = useTasks(board);
  const close = () => setDialog(null);
  const { drain, name, removedAt, refusals } = board;
  if (removedAt) return null;
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn" onClick={() => setDialog(drain ? "resume" : "drain")}>
          {drain ? t("resume") : t("drain")}
        </button>
        <button
          type="button"
          className="btn"
          disabled={tasks.isPending}
          onClick={() => tasks.ask("self-test")}
        >
          {t("selfTest")}
        </button>
        <BoardMenu
          name={name}
          onBlink={() => tasks.ask("blink")}
          onReload={() => (refusals.reload ? tasks.refuse("reload") : setDialog("reload"))}
        />
      </div>
      {tasks.refusal ? (
        <ErrorNote
          title={t("refused", { action: tasks.refusal.action })}
          error={tasks.refusal.error}
        />
      ) : null}
      {dialog === "drain" ? <DrainDialog board={board} onClose={close} /> : null}
      {dialog === "resume" ? <ResumeDialog board={board} onClose={close} /> : null}
      {dialog === "reload" ? <ReloadDialog board={board} onClose={close} /> : null}
    </div>
  );
}

const refusalKey = { blink: "blink", "self-test": "selfTest", reload: "reload" } as const;

interface Refusal {
  readonly action: string;
  readonly error: unknown;
}

/** Asks for tasks; what stands against one is told in the place of sending it. */
function useTasks(board: BoardDetail) {
  const t = useTranslations("boards.actions");
  const client = useQueryClient();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const send = useMutation({
    mutationFn: (action: Task) => askBoard(board.id, action),
    onSuccess: (answer) => client.setQueryData(boardQuery(board.id).queryKey, answer),
    onError: (error, action) => setRefusal({ action: t(refusalKey[action]), error }),
  });
  const refuse = (action: keyof typeof refusalKey) => {
    const problem = board.refusals[refusalKey[action]];
    if (!problem) return false;
    const { message, hint } = problem;
    const error = new AppError("failed_precondition", message, {
      reason: "STATE_CONFLICT",
      ...(hint ? { hint } : {}),
    });
    setRefusal({ action: t(refusalKey[action]), error });
    return true;
  };
  return {
    refusal,
    refuse,
    isPending: send.isPending,
    ask: (action: Task) => {
      setRefusal(null);
      if (!refuse(action)) send.mutate(action);
    },
  };
}
