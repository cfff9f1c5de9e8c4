"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ChangeDialog } from "@/components/endpoints";
import type { Notice } from "@/components/ui";
import type { BoardDetail } from "@/lib/common/contract";
import { askBoard, drainBoard } from "./api";

/** Ends the drain of a board. */
export function ResumeDialog({ board, onClose }: { board: BoardDetail; onClose: () => void }) {
  const t = useTranslations("boards.resumeDialog");
  const client = useQueryClient();
  const { id, name, drain } = board;
  const refresh = () => client.invalidateQueries({ queryKey: ["boards"] });
  const act = async (): Promise<Notice> => {
    await askBoard(id, "resume");
    await refresh();
    return {
      title: t("done", { name }),
      undo: async () => {
        await drainBoard(id, drain?.loaded ?? "move");
        await refresh();
      },
    };
  };
  return (
    <ChangeDialog
      title={t("title", { name })}
      verb={t("verb")}
      before={[t("before")]}
      act={act}
      onClose={onClose}
    />
  );
}
