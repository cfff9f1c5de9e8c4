"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorNote, Skeleton } from "@/components/ui";
import { findFile, manifestQuery } from "./api";
import { DesignRunner, type EditorRow } from "./design-runner";
import { canCheckDigests } from "./fetch-verified";

/** The endpoint's design, run in the page: a proof that needs neither board nor server. */
export function SimulatePanel(props: EditorRow) {
  const { boardKind, artifactDigest } = props.endpoint;
  return (
    <section aria-label="Run the design in this page" className="mt-12">
      <h2>Run the design in this page</h2>
      {boardKind === "cpu" ? (
        <Said>
          There is no design to run: this endpoint answers from a CPU, and its artifact is the model
          itself. Deploy the model on an FPGA board, real or simulated, to have one.
        </Said>
      ) : artifactDigest === null ? (
        <Said>The design can be run here as soon as it is built.</Said>
      ) : !canCheckDigests() ? (
        <Said>
          This browser checks digests on https and on localhost only, and what is unchecked is not
          run. Open the portal through https, or through an SSH tunnel as http://localhost.
        </Said>
      ) : (
        <OfArtifact {...props} digest={artifactDigest} />
      )}
    </section>
  );
}

function OfArtifact({ digest, ...props }: EditorRow & { digest: string }) {
  const manifest = useQuery(manifestQuery(digest));
  if (manifest.isPending) return <Skeleton lines={2} />;
  if (manifest.isError) {
    return (
      <div className="mt-3">
        <ErrorNote
          title="The artifact's manifest cannot be read."
          error={manifest.error}
          onRetry={() => void manifest.refetch()}
        />
      </div>
    );
  }
  const simulation = findFile(digest, manifest.data, "simulation");
  const { core } = manifest.data;
  if (!simulation || !core) {
    return <Said>This artifact holds no simulation of its design, so it cannot be run here.</Said>;
  }
  const vectors = findFile(digest, manifest.data, "vectors");
  return (
    <DesignRunner
      {...props}
      digest={digest}
      manifest={{ ...manifest.data, core }}
      simulation={simulation}
      vectors={vectors}
    />
  );
}

function Said({ children }: { children: ReactNode }) {
  return <p className="mt-2 max-w-[68ch] text-muted">{children}</p>;
}
