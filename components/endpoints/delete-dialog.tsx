"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { startTransition, useEffect, useRef } from "react";
import { holdQueries } from "@/components/live";
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
  const t = useTranslations("endpoints.delete");
  const client = useQueryClient();
  const router = useRouter();
  // Its own page stands until the list does, and would ask in vain for what is gone.
  const release = useRef<() => void>(undefined);
  useEffect(() => () => release.current?.(), []);
  const remove = useMutation({
    mutationFn: () => deleteEndpoint(name),
    onMutate: () => {
      release.current = holdQueries(["endpoints", name]);
    },
    onError: () => release.current?.(),
    onSuccess: () => {
      notify({ title: t("done", { name }), text: t("doneText") });
      startTransition(() => {
        router.push("/endpoints");
        onClose();
      });
      void client.invalidateQueries({ queryKey: ["endpoints", "list"] });
    },
  });
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <TypedConfirmation
        title={t("title", { name })}
        words={name}
        keep={t("keep")}
        problem={
          remove.isError ? <ErrorNote title={t("failed", { name })} error={remove.error} /> : null
        }
        isPending={remove.isPending || remove.isSuccess}
        onConfirm={() => remove.mutate()}
      >
        {t("text", { url })}
      </TypedConfirmation>
    </Dialog.Root>
  );
}
