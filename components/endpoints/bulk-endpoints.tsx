"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import { type Selection, SelectionBar, useBulk } from "@/components/lists";
import type { Endpoint } from "@/lib/common/contract";
import { deleteEndpoint } from "./api";
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
  const deletable = marked.filter(({ state }) => state !== "deleting");
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
      {deletable.length > 0 ? (
        <DeleteMarked
          endpoints={deletable}
          onDelete={() => {
            clear();
            void start(deletable, ({ name }) => deleteEndpoint(name));
          }}
        />
      ) : null}
    </SelectionBar>
  );
}

function DeleteMarked({
  endpoints,
  onDelete,
}: {
  readonly endpoints: readonly Endpoint[];
  readonly onDelete: () => void;
}) {
  const [typed, setTyped] = useState("");
  const words = `delete ${endpoints.length}`;
  return (
    <Dialog.Root onOpenChange={() => setTyped("")}>
      <Dialog.Trigger className="btn btn-danger btn-dense">
        Delete {endpoints.length}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup className="float fixed top-[18vh] left-1/2 z-40 w-[min(480px,calc(100vw-24px))] -translate-x-1/2 p-6">
          <Dialog.Title>
            Delete {endpoints.length === 1 ? endpoints[0]?.name : `${endpoints.length} endpoints`}?
          </Dialog.Title>
          <Dialog.Description className="mt-2 text-muted">
            {deleteImpact(endpoints)}
          </Dialog.Description>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (typed === words) onDelete();
            }}
          >
            <label htmlFor="confirm-delete" className="mt-4 mb-1 block">
              Type <b>{words}</b> to confirm
            </label>
            <input
              id="confirm-delete"
              className="field"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <div className="mt-5 flex justify-end gap-2">
              <Dialog.Close className="btn">
                Keep {endpoints.length === 1 ? "it" : "them"}
              </Dialog.Close>
              <button type="submit" className="btn btn-danger" disabled={typed !== words}>
                Delete
              </button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
