"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { ErrorNote, notify, TypedConfirmation } from "@/components/ui";
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
      <TypedConfirmation
        title={`Delete ${name}?`}
        words={name}
        keep="Keep it"
        problem={remove.isError ? <ErrorNote title="Not deleted." error={remove.error} /> : null}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        It stops answering at once: clients of {url} get 503, and 404 a moment later. Its boards are
        freed and its name too; artifacts and builds stay. This cannot be undone. To keep callers
        away for a while, pause it.
      </TypedConfirmation>
    </Dialog.Root>
  );
}
