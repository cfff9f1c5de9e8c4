"use client";

import { Dialog } from "@base-ui/react/dialog";
import { type Selection, SelectionBar, useBulk } from "@/components/lists";
import type { Endpoint } from "@/lib/common/contract";
import { deleteEndpoint } from "./api";
import { deleteImpact } from "./delete-impact";
import { TypedConfirmation } from "./typed-confirmation";

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
  return (
    <Dialog.Root>
      <Dialog.Trigger className="btn btn-danger btn-dense">
        Delete {endpoints.length}
      </Dialog.Trigger>
      <TypedConfirmation
        title={`Delete ${endpoints.length === 1 ? endpoints[0]?.name : `${endpoints.length} endpoints`}?`}
        words={`delete ${endpoints.length}`}
        keep={`Keep ${endpoints.length === 1 ? "it" : "them"}`}
        onConfirm={onDelete}
      >
        {deleteImpact(endpoints)}
      </TypedConfirmation>
    </Dialog.Root>
  );
}
