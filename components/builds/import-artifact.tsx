"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { ErrorNote } from "@/components/ui";
import { importArtifact } from "./api";

/** Takes an artifact that another installation exported, and shows the build that judged it. */
export function ImportArtifact() {
  const t = useTranslations("builds.import");
  const picker = useRef<HTMLInputElement>(null);
  const router = useRouter();
  const { mutate, isPending, isError, error } = useMutation({
    mutationFn: importArtifact,
    onSuccess: ({ buildId }) => router.push(`/builds/${buildId}`),
  });
  return (
    <div>
      <button
        type="button"
        className="btn"
        disabled={isPending}
        aria-busy={isPending}
        onClick={() => picker.current?.click()}
      >
        {isPending ? t("busy") : t("action")}
      </button>
      <input
        ref={picker}
        type="file"
        accept=".tar"
        className="sr-only"
        tabIndex={-1}
        aria-label={t("file")}
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          if (chosen) mutate(chosen);
          event.target.value = "";
        }}
      />
      {isError ? <ErrorNote title={t("failed")} error={error} /> : null}
    </div>
  );
}
