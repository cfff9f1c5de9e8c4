"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useBoardTitle } from "@/components/boards";
import type { Notice } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { setPaused } from "./api";
import { ChangeDialog } from "./change-dialog";

/** Pauses an endpoint, or resumes a paused one: says first what callers get and what becomes of the board. */
export function PauseDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const t = useTranslations("endpoints");
  const client = useQueryClient();
  const board = useBoardTitle(endpoint.boardModel, endpoint.boardKind);
  const { name, revision } = endpoint;
  // What is asked stays asked, though the endpoint changes while the dialog is open.
  const [paused] = useState(endpoint.paused);
  const change = paused ? "resume" : "pause";
  const set = async (to: boolean): Promise<void> => {
    await setPaused(name, to);
    await client.invalidateQueries({ queryKey: ["endpoints"] });
  };
  const link = { href: `/endpoints/${name}`, label: t("dialog.show") };
  const act = async (): Promise<Notice> => {
    await set(!paused);
    return {
      title: t(`${change}.done`, { name }),
      text: t(`${change}.text`),
      link,
      undo: async () => set(paused),
    };
  };
  return (
    <ChangeDialog
      title={t(`${change}.title`, { name })}
      verb={t(`${change}.button`)}
      before={
        paused
          ? [t("resume.requests", { revision }), t("resume.board")]
          : [t("pause.requests"), t("pause.board", { board }), t("pause.clients")]
      }
      act={act}
      onClose={onClose}
    />
  );
}
