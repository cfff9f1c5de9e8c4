"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ErrorNote, formatBytes, notify, TypedConfirmation } from "@/components/ui";
import type { ArtifactDetail } from "@/lib/common/contract";
import { deleteArtifact } from "./api";

/** What deleting firmware means; where something needs it or it is pinned, that, and no way to do it. */
export function DeleteFirmware({
  artifact,
  onClose,
}: {
  artifact: ArtifactDetail;
  onClose: () => void;
}) {
  const isKept = artifact.pinnedAt !== null || isNeeded(artifact);
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      {isKept ? <Refused artifact={artifact} /> : <Asked artifact={artifact} onClose={onClose} />}
    </Dialog.Root>
  );
}

const isNeeded = ({ uses }: ArtifactDetail): boolean => uses.some(({ role }) => role !== "failed");

function Refused({ artifact }: { artifact: ArtifactDetail }) {
  const t = useTranslations("firmware.deleting");
  const { uses, pinnedAt } = artifact;
  return (
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
      <Dialog.Popup className="float fixed top-[18vh] left-1/2 z-40 w-[min(480px,calc(100vw-24px))] -translate-x-1/2 p-6">
        <Dialog.Title>{t("refused")}</Dialog.Title>
        <ul className="mt-3 list-disc pl-5 text-dense">
          {pinnedAt === null ? null : <li>{t("pinned")}</li>}
          {uses.map(({ endpoint, revision, role }) => (
            <li key={`${endpoint} ${revision}`}>{t(role, { endpoint, revision })}</li>
          ))}
        </ul>
        <Dialog.Description className="mt-3 text-muted">
          {pinnedAt === null ? null : t("unpin")} {isNeeded(artifact) ? t("hint") : null}
        </Dialog.Description>
        <div className="mt-5 flex justify-end">
          <Dialog.Close className="btn">{t("close")}</Dialog.Close>
        </div>
      </Dialog.Popup>
    </Dialog.Portal>
  );
}

function Asked({ artifact, onClose }: { artifact: ArtifactDetail; onClose: () => void }) {
  const t = useTranslations("firmware.deleting");
  const client = useQueryClient();
  const router = useRouter();
  const { digest, origin, sizeBytes, manifest } = artifact;
  const remove = useMutation({
    mutationFn: () => deleteArtifact(digest),
    onSuccess: ({ freedBytes }) => {
      notify({
        title: t("done"),
        text: freedBytes > 0 ? t("freed", { size: formatBytes(freedBytes) }) : t("nothingFreed"),
      });
      onClose();
      router.push("/firmware");
      void client.invalidateQueries({ queryKey: ["artifacts", "list"] });
    },
  });
  return (
    <TypedConfirmation
      title={t("title")}
      words={digest.slice("sha256:".length, "sha256:".length + 8)}
      keep={t("keep")}
      problem={remove.isError ? <ErrorNote title={t("failedTitle")} error={remove.error} /> : null}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {t("impact", { files: manifest.files.length, size: formatBytes(sizeBytes) })}{" "}
      {origin ? t("imported") : null}
    </TypedConfirmation>
  );
}
