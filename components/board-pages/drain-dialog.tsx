"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ChangeDialog } from "@/components/endpoints";
import type { Notice } from "@/components/ui";
import type { BoardDetail, DrainMode } from "@/lib/common/contract";
import { askBoard, drainBoard } from "./api";

/** Drains a board, after saying what becomes of each endpoint on it. */
export function DrainDialog({ board, onClose }: { board: BoardDetail; onClose: () => void }) {
  const t = useTranslations("boards.drainDialog");
  const client = useQueryClient();
  const [mode, setMode] = useState<DrainMode>("move");
  const fates = useFates(board, mode);
  const { id, name } = board;
  const refresh = () => client.invalidateQueries({ queryKey: ["boards"] });
  const act = async (): Promise<Notice> => {
    await drainBoard(id, mode);
    await refresh();
    return {
      title: t("done", { name }),
      text: t("doneText"),
      undo: async () => {
        await askBoard(id, "resume");
        await refresh();
      },
    };
  };
  return (
    <ChangeDialog
      title={t("title", { name })}
      verb={t("verb")}
      before={[t("nothingNew"), ...fates]}
      act={act}
      onClose={onClose}
    >
      {board.slots.some(({ free }) => !free) ? <Modes mode={mode} onMode={setMode} /> : null}
    </ChangeDialog>
  );
}

function Modes({ mode, onMode }: { mode: DrainMode; onMode: (mode: DrainMode) => void }) {
  const t = useTranslations("boards.drainDialog");
  const name = useId();
  return (
    <fieldset className="mt-4">
      <legend className="mb-1 font-strong">{t("choice")}</legend>
      {(["move", "keep"] as const).map((each) => (
        <label key={each} className="flex gap-3 py-1">
          <input
            type="radio"
            name={name}
            className="mt-1 size-4 flex-none accent-accent"
            checked={mode === each}
            onChange={() => onMode(each)}
          />
          <span>
            {t(each)}
            <span className="block text-dense text-muted">{t(`${each}Text`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What becomes of each endpoint of this project that the board holds. */
function useFates(board: BoardDetail, mode: DrainMode): string[] {
  const t = useTranslations("boards.drainDialog");
  const held = board.slots.filter(({ endpointName }) => endpointName !== null);
  const isOthers = board.slots.some(({ free, endpointName }) => !free && endpointName === null);
  if (held.length === 0 && !isOthers) return [t("empty")];
  if (mode === "keep") return [];
  return [
    ...new Set(
      held.map(({ endpointName, pinned, elsewhere }) => {
        const name = endpointName ?? "";
        if (elsewhere > 0) return t("goesOn", { name, count: elsewhere });
        return t(pinned ? "pinned" : "moves", { name });
      }),
    ),
    ...(isOthers ? [t("others")] : []),
  ];
}
