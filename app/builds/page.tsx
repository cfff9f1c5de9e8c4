import type { Metadata } from "next";
import { BuildsTable, ImportArtifact } from "@/components/builds";

export const metadata: Metadata = { title: "Builds" };

export default async function BuildsPage({
  searchParams,
}: {
  searchParams: Promise<{ state?: string; cursor?: string }>;
}) {
  const { state, cursor } = await searchParams;
  return (
    <>
      <header className="mb-4 flex flex-wrap items-start justify-between gap-4">
        <h1>Builds</h1>
        <ImportArtifact />
      </header>
      <BuildsTable state={state} cursor={cursor} />
    </>
  );
}
