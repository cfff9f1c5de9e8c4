"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { boardsQuery, useBoardTitle } from "@/components/boards";
import type { Notice } from "@/components/ui";
import type { Endpoint, Revision } from "@/lib/common/contract";
import { rollBack } from "./api";
import { ChangeDialog } from "./change-dialog";
import { DifferenceTable } from "./difference-table";
import { differencesOf } from "./differences";
import { type Outlook, outlookOf, outlookWords } from "./outlook";
import { rollbackWay } from "./rollback-way";

interface RollbackDialogProps {
  readonly endpoint: Endpoint;
  /** The one that is to serve. */
  readonly revision: Revision;
  /** The one that serves; undefined while none does. */
  readonly serving: Revision | undefined;
  readonly onClose: () => void;
}

/** Has another revision serve: says first in which settings it differs, and what callers will notice. */
export function RollbackDialog({ endpoint, revision, serving, onClose }: RollbackDialogProps) {
  const t = useTranslations("endpoints");
  const client = useQueryClient();
  const outlook = useOutlook({ endpoint, revision, serving });
  const { name } = endpoint;
  const { ordinal } = revision;
  const way = rollbackWay(ordinal, serving?.ordinal);
  const go = async (to: number, from?: number): Promise<void> => {
    await rollBack(name, { revision: to, ...(from === undefined ? {} : { ifServing: from }) });
    await client.invalidateQueries({ queryKey: ["endpoints"] });
  };
  const act = async (): Promise<Notice> => {
    await go(ordinal, serving?.ordinal);
    return {
      title: t(`rollback.${way}.done`, { name, ordinal }),
      text:
        serving && outlook && outlook !== "instead"
          ? t("rollback.until", { serving: serving.ordinal, ordinal })
          : undefined,
      link: { href: `/endpoints/${name}?tab=revisions`, label: t("rollback.show") },
      // What is called off so that the same one goes on serving cannot be asked for in the same way.
      ...(serving && way !== "stay" ? { undo: () => go(serving.ordinal) } : {}),
    };
  };
  return (
    <ChangeDialog
      title={t(`rollback.${way}.title`, { name, ordinal })}
      verb={t(`rollback.${way}.button`)}
      before={useSentences({ endpoint, revision, serving, outlook })}
      act={act}
      onClose={onClose}
    >
      {serving ? (
        <DifferenceTable
          differences={differencesOf(serving.request, revision.request, t)}
          before={t("rollback.now", { ordinal: serving.ordinal })}
          after={t("rollback.then", { ordinal })}
        />
      ) : null}
    </ChangeDialog>
  );
}

type Rolling = Omit<RollbackDialogProps, "onClose">;

/** What it means for callers; null where no other revision serves, or while the boards are not known. */
function useOutlook({ endpoint, revision, serving }: Rolling): Outlook | null {
  const boards = useQuery(boardsQuery()).data?.items;
  if (!boards || !serving || serving.ordinal === revision.ordinal) return null;
  const { board } = revision.request;
  const boardId = "id" in board ? board.id : null;
  return outlookOf(endpoint.name, { ...revision, boardId }, boards);
}

function useSentences({
  endpoint: { next, paused },
  revision: { ordinal, boardModel, boardKind },
  serving,
  outlook,
}: Rolling & { outlook: Outlook | null }): readonly string[] {
  const t = useTranslations("endpoints");
  const board = useBoardTitle(boardModel, boardKind);
  return [
    serving?.ordinal === ordinal
      ? t("rollback.keepsAnswering", { ordinal })
      : t("rollback.nothingBuilt", { ordinal }),
    ...(outlook && serving
      ? [
          outlookWords(outlook, { serving: serving.ordinal, next: ordinal, board }, t),
          t("rollback.byVersion", { serving: serving.ordinal }),
        ]
      : []),
    ...(next !== null && next !== ordinal ? [t("rollback.cancelled", { next })] : []),
    ...(paused ? [t("rollback.paused")] : []),
  ];
}
