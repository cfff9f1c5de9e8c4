"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ChangeDialog } from "@/components/endpoints";
import { type Selection, SelectionBar, useBulk } from "@/components/lists";
import type { Notice } from "@/components/ui";
import type { Board } from "@/lib/common/contract";
import { askBoard, drainBoard } from "./api";

const change = {
  drain: (id: string) => drainBoard(id, "move"),
  resume: (id: string) => askBoard(id, "resume"),
} as const;
type Change = keyof typeof change;
const opposite = { drain: "resume", resume: "drain" } as const satisfies Record<Change, Change>;

/** Drains the boards that are marked, or resumes them. */
export function BulkBoards({
  selection: { rows, clear },
}: {
  readonly selection: Selection<Board>;
}) {
  const { run, start, forget } = useBulk<Board>({
    queryKey: ["boards"],
    nameOf: ({ name }) => name,
  });
  const marked = [...rows.values()];
  const setAll = (some: readonly Board[], what: Change) => {
    clear();
    return start(some, ({ id }) => change[what](id));
  };
  return (
    <SelectionBar
      count={marked.length}
      noun="board"
      run={run}
      onClear={() => {
        clear();
        forget();
      }}
    >
      <ChangeMarked boards={marked.filter(({ drain }) => !drain)} what="drain" setAll={setAll} />
      <ChangeMarked boards={marked.filter(({ drain }) => drain)} what="resume" setAll={setAll} />
    </SelectionBar>
  );
}

function ChangeMarked({
  boards,
  what,
  setAll,
}: {
  readonly boards: readonly Board[];
  readonly what: Change;
  readonly setAll: (some: readonly Board[], what: Change) => Promise<void>;
}) {
  const t = useTranslations(`boards.list.${what}`);
  // Those that were there when it was asked: the list goes on changing behind the dialog.
  const [asked, setAsked] = useState<readonly Board[] | null>(null);
  const act = async (some: readonly Board[]): Promise<Notice> => {
    await setAll(some, what);
    return {
      title: t("done", { count: some.length }),
      undo: () => setAll(some, opposite[what]),
    };
  };
  return (
    <>
      {boards.length > 0 ? (
        <button type="button" className="btn btn-dense" onClick={() => setAsked(boards)}>
          {t("button", { count: boards.length })}
        </button>
      ) : null}
      {asked ? (
        <ChangeDialog
          title={t("title", { count: asked.length })}
          verb={t("button", { count: asked.length })}
          before={[t("before"), asked.map(({ name }) => name).join(", ")]}
          act={() => act(asked)}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  );
}
