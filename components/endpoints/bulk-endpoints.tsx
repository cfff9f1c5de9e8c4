"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Selection, SelectionBar, useBulk } from "@/components/lists";
import type { Notice } from "@/components/ui";
import { TypedConfirmation } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { deleteEndpoint, setPaused } from "./api";
import { ChangeDialog } from "./change-dialog";
import { deleteImpact } from "./delete-impact";

/** What can be done to the endpoints that are marked. */
export function BulkEndpoints({
  selection: { rows, clear },
}: {
  readonly selection: Selection<Endpoint>;
}) {
  const { run, start, forget } = useBulk<Endpoint>({
    queryKey: ["endpoints", "list"],
    nameOf: ({ name }) => name,
  });
  const marked = [...rows.values()];
  const alive = marked.filter(({ state }) => state !== "deleting");
  const setAll = (some: readonly Endpoint[], paused: boolean) => {
    clear();
    return start(some, ({ name }) => setPaused(name, paused));
  };
  return (
    <SelectionBar
      count={marked.length}
      noun="endpoint"
      run={run}
      onClear={() => {
        clear();
        forget();
      }}
    >
      <PauseMarked
        endpoints={alive.filter(({ paused }) => !paused)}
        paused={false}
        setAll={setAll}
      />
      <PauseMarked endpoints={alive.filter(({ paused }) => paused)} paused setAll={setAll} />
      {alive.length > 0 ? (
        <DeleteMarked
          endpoints={alive}
          onDelete={() => {
            clear();
            void start(alive, ({ name }) => deleteEndpoint(name));
          }}
        />
      ) : null}
    </SelectionBar>
  );
}

/** Pauses those that answer, or resumes those that are paused, after saying what callers get; with the way back. */
function PauseMarked({
  endpoints,
  paused,
  setAll,
}: {
  readonly endpoints: readonly Endpoint[];
  /** What they are now. */
  readonly paused: boolean;
  readonly setAll: (some: readonly Endpoint[], paused: boolean) => Promise<void>;
}) {
  const t = useTranslations("endpoints.bulk");
  // Those that were there when it was asked: the list goes on changing behind the dialog.
  const [asked, setAsked] = useState<readonly Endpoint[] | null>(null);
  const verb = paused ? "resume" : "pause";
  const act = async (some: readonly Endpoint[]): Promise<Notice> => {
    await setAll(some, !paused);
    return {
      title: t(`${verb}.done`, { count: some.length }),
      text: t(`${verb}.text`),
      undo: () => setAll(some, paused),
    };
  };
  return (
    <>
      {endpoints.length > 0 ? (
        <button type="button" className="btn btn-dense" onClick={() => setAsked(endpoints)}>
          {t(`${verb}.button`, { count: endpoints.length })}
        </button>
      ) : null}
      {asked ? (
        <ChangeDialog
          title={t(`${verb}.title`, { count: asked.length })}
          verb={t(`${verb}.button`, { count: asked.length })}
          before={[t(`${verb}.before`), asked.map(({ name }) => name).join(", ")]}
          act={() => act(asked)}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  );
}

function DeleteMarked({
  endpoints,
  onDelete,
}: {
  readonly endpoints: readonly Endpoint[];
  readonly onDelete: () => void;
}) {
  const t = useTranslations("endpoints");
  const count = endpoints.length;
  return (
    <Dialog.Root>
      <Dialog.Trigger className="btn btn-danger btn-dense">
        {t("bulk.delete.button", { count })}
      </Dialog.Trigger>
      <TypedConfirmation
        title={t("bulk.delete.title", { count, name: endpoints[0]?.name ?? "" })}
        words={t("bulk.delete.words", { count })}
        keep={t("bulk.delete.keep", { count })}
        onConfirm={onDelete}
      >
        {deleteImpact(endpoints, t)}
      </TypedConfirmation>
    </Dialog.Root>
  );
}
