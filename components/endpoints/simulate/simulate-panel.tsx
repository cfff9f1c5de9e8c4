"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Loaded, Skeleton } from "@/components/ui";
import { findFile, manifestQuery } from "./api";
import { DesignRunner, type EditorRow } from "./design-runner";
import { canCheckDigests } from "./fetch-verified";

/** The endpoint's design, run in the page: a proof that needs neither board nor server. */
export function SimulatePanel(props: EditorRow) {
  const t = useTranslations("simulate");
  const { boardKind, artifactDigest } = props.endpoint;
  return (
    <section aria-label={t("title")} className="mt-12">
      <h2>{t("title")}</h2>
      {boardKind === "cpu" ? (
        <Said>{t("cpu")}</Said>
      ) : artifactDigest === null ? (
        <Said>{t("unbuilt")}</Said>
      ) : !canCheckDigests() ? (
        <Said>
          {t("problems.uncheckable.message")} {t("problems.uncheckable.hint")}
        </Said>
      ) : (
        <OfArtifact {...props} digest={artifactDigest} />
      )}
    </section>
  );
}

function OfArtifact({ digest, ...props }: EditorRow & { digest: string }) {
  const t = useTranslations("simulate");
  return (
    <Loaded
      query={useQuery(manifestQuery(digest, t))}
      loading={<Skeleton lines={2} />}
      failure={t("manifestUnreadable")}
      around={(note) => <div className="mt-3">{note}</div>}
    >
      {(manifest) => {
        const { core } = manifest;
        const simulation = findFile(digest, manifest, "simulation");
        return simulation && core ? (
          <DesignRunner
            {...props}
            digest={digest}
            manifest={{ ...manifest, core }}
            simulation={simulation}
            vectors={findFile(digest, manifest, "vectors")}
          />
        ) : (
          <Said>{t("absent")}</Said>
        );
      }}
    </Loaded>
  );
}

function Said({ children }: { children: ReactNode }) {
  return <p className="mt-2 max-w-[68ch] text-muted">{children}</p>;
}
