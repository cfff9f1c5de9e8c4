"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ErrorNote, formatBytes, notify, TypedConfirmation } from "@/components/ui";
import type { ModelDetail } from "@/lib/common/contract";
import { deleteModel } from "./api";

/** What deleting this version means, and the way to do it; a refusal says what needs its bytes. */
export function DeleteModel({ model, onClose }: { model: ModelDetail; onClose: () => void }) {
  const t = useTranslations("library.deleting");
  const client = useQueryClient();
  const router = useRouter();
  const { id, name, digest, endpoints, versions, aliases } = model;
  const isSent = model.url.startsWith("s3://uploads-");
  const remove = useMutation({
    mutationFn: () => deleteModel(id),
    onSuccess: ({ freedBytes }) => {
      notify({
        title: t("done", { name }),
        ...(freedBytes > 0 ? { text: t("freed", { size: formatBytes(freedBytes) }) } : {}),
      });
      onClose();
      router.push("/models");
      void client.invalidateQueries({ queryKey: ["models", "list"] });
    },
  });
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <TypedConfirmation
        title={t("title", { name })}
        words={digest.slice("sha256:".length, "sha256:".length + 8)}
        keep={t("keep")}
        problem={remove.isError ? <ErrorNote title={t("failed")} error={remove.error} /> : null}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {t(isSent ? "sent" : "address")}{" "}
        {endpoints.length > 0
          ? t("endpoints", { names: endpoints.map((endpoint) => endpoint.name).join(", ") })
          : null}{" "}
        {aliases.length > 0 ? t("aliases", { names: aliases.join(", ") }) : null}{" "}
        {versions.length > 1 ? t("versions", { count: versions.length - 1 }) : null}
      </TypedConfirmation>
    </Dialog.Root>
  );
}
