"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ChangeDialog } from "@/components/endpoints";
import type { Notice } from "@/components/ui";
import type { BoardDetail } from "@/lib/common/contract";
import { askBoard } from "./api";

/** Loads everything on a board again, after saying whose requests fail meanwhile. */
export function ReloadDialog({ board, onClose }: { board: BoardDetail; onClose: () => void }) {
  const t = useTranslations("boards.reloadDialog");
  const client = useQueryClient();
  const { id, name, slots } = board;
  const namesOf = (isDown: boolean) =>
    [
      ...new Set(
        slots
          .filter(({ elsewhere }) => (elsewhere === 0) === isDown)
          .flatMap(({ endpointName }) => endpointName ?? []),
      ),
    ].join(", ");
  const [down, goOn] = [namesOf(true), namesOf(false)];
  const act = async (): Promise<Notice> => {
    await askBoard(id, "reload");
    await client.invalidateQueries({ queryKey: ["boards"] });
    return { title: t("done", { name }), text: t("doneText") };
  };
  return (
    <ChangeDialog
      title={t("title", { name })}
      verb={t("verb")}
      before={[
        t("before"),
        ...(down === "" ? [] : [t("down", { names: down })]),
        ...(goOn === "" ? [] : [t("goOn", { names: goOn })]),
      ]}
      act={act}
      onClose={onClose}
    />
  );
}
