"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { notify } from "@/components/ui";
import type { ArtifactDetail } from "@/lib/common/contract";
import { artifactQuery, pinArtifact } from "./api";

/** Keeps firmware from being deleted, or lets it go; what was done can be taken back. */
export function PinFirmware({ artifact: { digest, pinnedAt } }: { artifact: ArtifactDetail }) {
  const t = useTranslations("firmware.pin");
  const client = useQueryClient();
  const set = async (pinned: boolean) => {
    client.setQueryData(artifactQuery(digest).queryKey, await pinArtifact(digest, pinned));
    await client.invalidateQueries({ queryKey: ["artifacts", "list"] });
  };
  const pin = useMutation({
    mutationFn: set,
    onSuccess: (_, pinned) =>
      notify({ title: t(pinned ? "pinned" : "unpinned"), undo: () => set(!pinned) }),
    onError: (error) => notify({ title: t("failed"), text: error.message }),
  });
  return (
    <button
      type="button"
      className="btn"
      disabled={pin.isPending}
      aria-busy={pin.isPending}
      onClick={() => pin.mutate(pinnedAt === null)}
    >
      {t(pinnedAt === null ? "pin" : "unpin")}
    </button>
  );
}
