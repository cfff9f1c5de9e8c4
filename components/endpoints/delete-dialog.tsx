"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
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
  const remove = useMutation({
    mutationFn: () => deleteEndpoint(name),
    onSuccess: () => {
      notify({ title: t("done", { name }), text: t("doneText") });
      onClose();
      // Left before the endpoint is gone: its own page would ask for it in vain.
      router.push("/endpoints");
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
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {t("text", { url })}
      </TypedConfirmation>
    </Dialog.Root>
  );
}
