"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded, Skeleton } from "@/components/ui";
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
  return (
    <Loaded
      query={useQuery(manifestQuery(digest))}
      loading={<Skeleton lines={2} />}
      failure="The artifact's manifest cannot be read."
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
          <Said>This artifact holds no simulation of its design, so it cannot be run here.</Said>
        );
      }}
    </Loaded>
  );
}

function Said({ children }: { children: ReactNode }) {
  return <p className="mt-2 max-w-[68ch] text-muted">{children}</p>;
}
