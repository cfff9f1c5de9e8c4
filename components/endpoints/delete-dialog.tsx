"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { ErrorNote, notify } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { deleteEndpoint } from "./api";

/** Deletes an endpoint once its name was typed, since that cannot be undone. */
export function DeleteDialog({
  endpoint: { name, url },
  onClose,
}: {
  endpoint: Endpoint;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState("");
  const field = useId();
  const client = useQueryClient();
  const router = useRouter();
  const remove = useMutation({
    mutationFn: () => deleteEndpoint(name),
    onSuccess: () => {
      notify({
        title: `${name} is being deleted.`,
        text: "It answers no more; its boards and its name are free in a moment.",
      });
      onClose();
      // Left before the endpoint is gone: its own page would ask for it in vain.
      router.push("/endpoints");
      void client.invalidateQueries({ queryKey: ["endpoints", "list"] });
    },
  });
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup className="float fixed top-[18vh] left-1/2 z-40 w-[min(480px,calc(100vw-24px))] -translate-x-1/2 p-6">
          <Dialog.Title>Delete {name}?</Dialog.Title>
          <Dialog.Description className="mt-2 break-words text-muted">
            It stops answering at once: clients of {url} get 503, and 404 a moment later. Its boards
            are freed and its name too; artifacts and builds stay. This cannot be undone. To keep
            callers away for a while, pause it.
          </Dialog.Description>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (typed === name) remove.mutate();
            }}
          >
            <label htmlFor={field} className="mt-4 mb-1 block">
              Type <b>{name}</b> to confirm
            </label>
            <input
              id={field}
              className="field"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            {remove.isError ? (
              <div className="mt-3">
                <ErrorNote title="Not deleted." error={remove.error} />
              </div>
            ) : null}
            <div className="mt-5 flex justify-end gap-2">
              <Dialog.Close className="btn">Keep it</Dialog.Close>
              <button
                type="submit"
                className="btn btn-danger"
                disabled={typed !== name || remove.isPending}
              >
                Delete
              </button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
