import type { Metadata } from "next";
import { BuildsList, ImportArtifact } from "@/components/builds";

export const metadata: Metadata = { title: "Builds" };

export default function BuildsPage() {
  return (
    <>
      <header className="mb-4 flex flex-wrap items-start justify-between gap-4">
        <h1>Builds</h1>
        <ImportArtifact />
      </header>
      <BuildsList />
    </>
  );
}
