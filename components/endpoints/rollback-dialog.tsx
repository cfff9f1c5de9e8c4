"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { boardsQuery, useBoardTitle } from "@/components/boards";
import type { Notice } from "@/components/ui";
import type { Endpoint, Revision } from "@/lib/common/contract";
import { rollBack } from "./api";
import { ChangeDialog } from "./change-dialog";
import { DifferenceTable } from "./difference-table";
import { differencesOf } from "./differences";
import { outlookOf, outlookWords } from "./outlook";

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
  const client = useQueryClient();
  const { name } = endpoint;
  const { ordinal } = revision;
  const isBack = serving === undefined || ordinal < serving.ordinal;
  const go = async (to: number, from?: number): Promise<void> => {
    await rollBack(name, { revision: to, ...(from === undefined ? {} : { ifServing: from }) });
    await client.invalidateQueries({ queryKey: ["endpoints"] });
  };
  const act = async (): Promise<Notice> => {
    await go(ordinal, serving?.ordinal);
    return {
      title: `${name} goes ${isBack ? "back" : "forward"} to revision ${ordinal}.`,
      text: serving ? `Revision ${serving.ordinal} answers until it serves.` : undefined,
      link: { href: `/endpoints/${name}?tab=revisions`, label: "Show it" },
      ...(serving ? { undo: () => go(serving.ordinal) } : {}),
    };
  };
  return (
    <ChangeDialog
      title={`${isBack ? "Roll back" : "Roll forward"} ${name} to revision ${ordinal}?`}
      verb={isBack ? "Roll back" : "Roll forward"}
      before={useSentences({ endpoint, revision, serving })}
      act={act}
      onClose={onClose}
    >
      {serving ? (
        <DifferenceTable
          differences={differencesOf(serving.request, revision.request)}
          before={`Revision ${serving.ordinal}, now`}
          after={`Revision ${ordinal}, then`}
        />
      ) : null}
    </ChangeDialog>
  );
}

function useSentences({
  endpoint,
  revision,
  serving,
}: Omit<RollbackDialogProps, "onClose">): readonly string[] {
  const boards = useQuery(boardsQuery()).data?.items;
  const board = useBoardTitle(revision.boardModel, revision.boardKind);
  const { name, next, paused } = endpoint;
  const { ordinal, request } = revision;
  const boardId = "id" in request.board ? request.board.id : null;
  const isServing = serving?.ordinal === ordinal;
  const outlook = boards && outlookOf(name, { ...revision, boardId }, boards);
  return [
    isServing
      ? `Revision ${ordinal} goes on answering.`
      : `Nothing is built: the artifact of revision ${ordinal} is there.`,
    ...(outlook && serving && !isServing
      ? [
          outlookWords(outlook, {
            serving: `revision ${serving.ordinal}`,
            next: `Revision ${ordinal}`,
            board,
          }),
          `Requests for version ${serving.ordinal} by its number get 503 afterwards.`,
        ]
      : []),
    ...(next !== null && next !== ordinal
      ? [`Revision ${next}, which is on its way, is called off.`]
      : []),
    ...(paused ? ["The endpoint stays paused."] : []),
  ];
}
